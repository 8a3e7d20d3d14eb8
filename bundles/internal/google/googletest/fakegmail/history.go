package fakegmail

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// change is a kind of history, named after its field in a record.
type change string

const (
	messageAdded   change = "messagesAdded"
	messageDeleted change = "messagesDeleted"
	labelAdded     change = "labelsAdded"
	labelRemoved   change = "labelsRemoved"
)

// historyTypes maps the values of the parameter historyTypes of history.list to
// the kinds of change.
var historyTypes = map[string]change{
	"messageAdded":   messageAdded,
	"messageDeleted": messageDeleted,
	"labelAdded":     labelAdded,
	"labelRemoved":   labelRemoved,
}

// event is one record of the history.
type event struct {
	id      uint64
	change  change
	message string
	thread  string
	labels  []string // the labels of the message after the change
	changed []string // the labels that were added or removed
}

// addEvent appends a change to the history. The ids grow with gaps.
func (m *mailbox) addEvent(what change, msg *message, changed []string) {
	m.historyID += 7
	msg.history = m.historyID
	m.events = append(m.events, event{m.historyID, what, msg.id, msg.thread, slices.Clone(msg.labels), changed})
}

// ForgetHistory makes every earlier history id too old: history.list answers
// 404 for it.
func (u MailUser) ForgetHistory() {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	m := mailOf(u.Account)
	m.historyID += 7
	m.events, m.forgotten = nil, m.historyID
}

// EmptyHistoryPages makes each list of the history begin with a number of pages
// that have no records but name a next page.
func (u MailUser) EmptyHistoryPages(pages int) {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	mailOf(u.Account).emptyPages = pages
}

// emptyPage returns the token of the next page if the page of token must be
// empty, and "" otherwise.
func (m *mailbox) emptyPage(token string) string {
	key, _ := base64.RawURLEncoding.DecodeString(token)
	n, err := strconv.Atoi(strings.TrimPrefix(string(key), emptyKey))
	if token != "" && (!strings.HasPrefix(string(key), emptyKey) || err != nil) || n >= m.emptyPages {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString([]byte(emptyKey + strconv.Itoa(n+1)))
}

const emptyKey = "+" // sorts before the digits of all history ids

func listHistory(c *fakeapi.Call) (any, error) {
	m := mailOf(c.Account)
	if !c.Query.Has("startHistoryId") {
		return nil, fakeapi.Invalid("Missing/invalid parameter: startHistoryId")
	}
	start, err := strconv.ParseUint(c.Query.Get("startHistoryId"), 10, 64)
	if err != nil {
		return nil, fakeapi.Invalid("Invalid startHistoryId")
	}
	if start < m.forgotten || start > m.historyID {
		return nil, fakeapi.NotFound()
	}
	wanted := map[change]bool{}
	for _, name := range c.Query["historyTypes"] {
		wanted[historyTypes[name]] = true
	}
	if next := m.emptyPage(c.Query.Get("pageToken")); next != "" {
		return fakeapi.Object{"historyId": strconv.FormatUint(m.historyID, 10), "nextPageToken": next}, nil
	}
	var records []fakeapi.Object
	for _, e := range m.events {
		if e.id <= start || len(wanted) > 0 && !wanted[e.change] {
			continue
		}
		if id := c.Query.Get("labelId"); id != "" && !slices.Contains(e.labels, id) && !slices.Contains(e.changed, id) {
			continue
		}
		records = append(records, e.json())
	}
	page, next, err := fakeapi.Paginate(c, records, 100, fakeapi.MaxPage, func(r fakeapi.Object) string { return fmt.Sprintf("%020s", r["id"]) })
	if err != nil {
		return nil, err
	}
	answer := fakeapi.Object{"historyId": strconv.FormatUint(m.historyID, 10)}
	if len(page) > 0 {
		answer["history"] = page
	}
	if next != "" {
		answer["nextPageToken"] = next
	}
	return answer, nil
}

func (e event) json() fakeapi.Object {
	message := fakeapi.Object{"id": e.message, "threadId": e.thread}
	if len(e.labels) > 0 {
		message["labelIds"] = e.labels
	}
	item := fakeapi.Object{"message": message}
	if e.changed != nil {
		item["labelIds"] = e.changed
	}
	return fakeapi.Object{
		"id":             strconv.FormatUint(e.id, 10),
		"messages":       []fakeapi.Object{{"id": e.message, "threadId": e.thread}},
		string(e.change): []fakeapi.Object{item},
	}
}
