package fakegmail

import (
	"kota/bundles/internal/google/googletest/fakeapi"
	"slices"
	"strconv"
)

// A conversation is a thread: its id and its messages, oldest first.
type conversation struct {
	id       string
	messages []*message
}

func (c conversation) newest() *message { return c.messages[len(c.messages)-1] }

// historyID is that of the thread's last change.
func (c conversation) historyID() string {
	last := uint64(0)
	for _, msg := range c.messages {
		last = max(last, msg.history)
	}
	return strconv.FormatUint(last, 10)
}

func (m *mailbox) findThread(id string) (conversation, error) {
	if !hexID.MatchString(id) {
		return conversation{}, fakeapi.Invalid("Invalid id value")
	}
	messages := m.inThread(id)
	if len(messages) == 0 {
		return conversation{}, fakeapi.NotFound()
	}
	return conversation{id, messages}, nil
}

// listThreads lists the threads of which a message is found, those with the
// newest message first.
func listThreads(c *fakeapi.Call) (any, error) {
	found, err := askedMessages(c)
	if err != nil {
		return nil, err
	}
	wanted := map[string]bool{}
	for _, msg := range found {
		wanted[msg.thread] = true
	}
	byThread := map[string][]*message{}
	for _, msg := range mailOf(c.Account).newest(func(msg *message) bool { return wanted[msg.thread] }) {
		byThread[msg.thread] = append(byThread[msg.thread], msg)
	}
	var threads []conversation
	for id, messages := range byThread {
		slices.Reverse(messages)
		threads = append(threads, conversation{id, messages})
	}
	key := func(t conversation) string { return t.newest().sortKey() }
	slices.SortFunc(threads, func(a, b conversation) int {
		if key(a) < key(b) {
			return -1
		}
		return 1
	})
	page, next, err := fakeapi.Paginate(c, threads, 100, fakeapi.MaxPage, key)
	if err != nil {
		return nil, err
	}
	answer := fakeapi.Object{"resultSizeEstimate": fakeapi.Estimate(len(page), next != "")}
	if len(page) > 0 {
		rows := make([]fakeapi.Object, len(page))
		for i, t := range page {
			rows[i] = fakeapi.Object{"id": t.id, "snippet": t.newest().snippet, "historyId": t.historyID()}
		}
		answer["threads"] = rows
	}
	if next != "" {
		answer["nextPageToken"] = next
	}
	return answer, nil
}

func getThread(c *fakeapi.Call) (any, error) {
	m := mailOf(c.Account)
	t, err := m.findThread(c.Vars["id"])
	if err != nil {
		return nil, err
	}
	format, err := askedFormat(c)
	if err != nil {
		return nil, err
	}
	views := make([]fakeapi.Object, len(t.messages))
	for i, msg := range t.messages {
		views[i] = m.view(msg, format, c.Query["metadataHeaders"])
	}
	return fakeapi.Object{"id": t.id, "historyId": t.historyID(), "messages": views}, nil
}

// changed is what methods answer of a thread that they changed.
func (t conversation) changed() fakeapi.Object {
	stubs := make([]fakeapi.Object, len(t.messages))
	for i, msg := range t.messages {
		stubs[i] = msg.stub()
	}
	return fakeapi.Object{"id": t.id, "messages": stubs}
}

func modifyThread(c *fakeapi.Call) (any, error) {
	m := mailOf(c.Account)
	t, err := m.findThread(c.Vars["id"])
	if err != nil {
		return nil, err
	}
	change, err := readChange(c)
	if err != nil {
		return nil, err
	}
	for _, msg := range t.messages {
		m.relabel(msg, change.Add, change.Remove)
	}
	return t.changed(), nil
}

// trashThread is trash and untrash.
func trashThread(c *fakeapi.Call) (any, error) {
	m := mailOf(c.Account)
	t, err := m.findThread(c.Vars["id"])
	if err != nil {
		return nil, err
	}
	for _, msg := range t.messages {
		m.trash(msg, c.Method.ID == "gmail.users.threads.trash")
	}
	return t.changed(), nil
}

func deleteThread(c *fakeapi.Call) (any, error) {
	m := mailOf(c.Account)
	t, err := m.findThread(c.Vars["id"])
	if err != nil {
		return nil, err
	}
	for _, msg := range t.messages {
		m.remove(msg)
	}
	return nil, nil
}
