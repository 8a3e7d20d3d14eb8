package fakecalendar

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"time"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// synchronization adds tokens to the pages of a list
// (developers.google.com/workspace/calendar/api/guides/sync). The last page has
// the token with which the next list returns the changes since the first page
// was read.
type synchronization struct {
	call        *fakeapi.Call
	token       syncToken
	forgotten   uint64   // tokens before this change have expired
	restricting []string // parameters that cannot be combined with a token
	complete    []string // parameters that may not be false together with a token
	changesOnly bool     // the list returns changes
	after       uint64   // the number of the last change that the client knows
}

// syncToken is the content of the tokens of a list, including page tokens.
// Google does not define what happens if a token is used with other parameters
// ("undefined behavior"); the fake refuses it.
type syncToken struct {
	List       string // what is listed: the id of a calendar, or the owner of a list
	Number     uint64 // the last change that the client knows
	Parameters string // the parameters of the first list, without those that may differ
	From, To   time.Time
	Page       string `json:",omitempty"` // in a page token: the token of Paginate
	Sync       string `json:",omitempty"` // in a page token: the sync token of the request
}

// windowParameters are parameters that cannot be combined with a sync token.
// But a first list with them returns a token: the first list in the guide has a
// timeMin. Lists with the other restricting parameters return no token: clients
// have observed this for orderBy.
var windowParameters = []string{"timeMin", "timeMax"}

// freeParameters are the parameters that may differ between pages and between lists:
// deleted or hidden entries are always among the changes.
var freeParameters = []string{"pageToken", "syncToken", "maxResults", "showDeleted", "showHidden", "alt", "prettyPrint", "fields", "key", "quotaUser"}

func (t syncToken) String() string {
	data, err := json.Marshal(t)
	if err != nil {
		panic(err) // the data marshals
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

func readToken(text string) (syncToken, bool) {
	var t syncToken
	data, err := base64.RawURLEncoding.DecodeString(text)
	return t, err == nil && json.Unmarshal(data, &t) == nil
}

// parameters returns the parameters that must stay the same.
func parameters(c *fakeapi.Call) string {
	same := maps.Clone(c.Query)
	for _, name := range slices.Concat(freeParameters, windowParameters) {
		delete(same, name)
	}
	return url.Values(same).Encode()
}

// read reads the call's tokens, and unwraps its page token.
func (s *synchronization) read() error {
	s.token.Parameters = parameters(s.call)
	if err := s.readSyncToken(); err != nil {
		return err
	}
	page := s.call.Query.Get("pageToken")
	if page == "" {
		return nil
	}
	t, ok := readToken(page)
	if !ok || t.Page == "" || t.List != s.token.List || t.Parameters != s.token.Parameters || t.Sync != s.call.Query.Get("syncToken") {
		return invalidValue("Invalid page token value.")
	}
	s.call.Query.Set("pageToken", t.Page)
	s.token.Number = t.Number // changes between the pages come with the next list
	return nil
}

func (s *synchronization) readSyncToken() error {
	query := s.call.Query
	text := query.Get("syncToken")
	if text == "" {
		return nil
	}
	for _, name := range s.restricting {
		if query.Has(name) {
			return atParameter(invalidValue("The parameter %s cannot be specified together with a sync token.", name), name)
		}
	}
	for _, name := range s.complete {
		if query.Get(name) == "false" {
			return atParameter(invalidValue("The parameter %s cannot be false together with a sync token.", name), name)
		}
	}
	t, ok := readToken(text)
	if !ok || t.Page != "" || t.List != s.token.List || t.Parameters != s.token.Parameters {
		return atParameter(invalidValue("Invalid sync token value."), "syncToken")
	}
	if t.Number < s.forgotten {
		return atParameter(calendarProblem(410, "calendar", "fullSyncRequired", "Sync token is no longer valid, a full sync is required."), "syncToken")
	}
	s.changesOnly, s.after, s.token.From, s.token.To = true, t.Number, t.From, t.To
	return nil
}

func atParameter(p *fakeapi.Problem, name string) *fakeapi.Problem {
	p.Location, p.Kind = name, "parameter"
	return p
}

// finish adds the tokens to the page. next is the token of the next page, if
// any.
func (s *synchronization) finish(page fakeapi.Object, next string) fakeapi.Object {
	if next != "" {
		t := s.token
		t.Page, t.Sync = next, s.call.Query.Get("syncToken")
		page["nextPageToken"] = t.String()
		return page
	}
	for _, name := range s.restricting {
		if s.call.Query.Has(name) && !slices.Contains(windowParameters, name) {
			return page
		}
	}
	page["nextSyncToken"] = s.token.String()
	return page
}

// ForgetCalendarChanges makes every earlier sync token of the user expire, for
// events and for the list of calendars: lists answer 410 for them.
func (u CalendarUser) ForgetCalendarChanges() {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	for _, c := range calendarsOf(u.Server).calendars {
		if c.roleOf(u.Address) == "" {
			continue
		}
		c.changes++
		c.dropped = droppedInstances{forgotten: c.changes, since: u.Server.Now()}
	}
	calendarListOf(u.Account).forgotten = nextEtag(u.Server)
}
