package googletest

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"
)

// A synchronization is what a list of events does beside listing
// (developers.google.com/workspace/calendar/api/guides/sync): its last page
// carries the token with which the next one lists what has changed since the
// first page was read.
type synchronization struct {
	call     *call
	calendar *fakeCalendar
	token    syncToken
	after    uint64    // the number of the change after which all are wanted
	is       bool      // the list is one of changes
	updated  time.Time // updatedMin
}

// A syncToken is what the tokens of a list say, those of pages as well. Google
// does not say what it does of tokens used with other parameters ("undefined
// behavior"); the fake refuses them.
type syncToken struct {
	Calendar   string
	Number     uint64 // of the last change the client knows
	Parameters string // of the first list, but for those of the page and the window
	From, To   time.Time
	Page       string `json:",omitempty"` // of a page token: the one it wraps
	Sync       string `json:",omitempty"` // and the sync token it pages through
}

// restricting are the parameters that do not go with a syncToken (Calendar API
// reference, Events: list, syncToken).
var restricting = []string{"iCalUID", "orderBy", "privateExtendedProperty", "q", "sharedExtendedProperty", "timeMin", "timeMax", "updatedMin"}

// windowed are those of them after which a first list still gives a token, as
// the first list of the guide has a timeMin. That the others give none is what
// clients have seen of orderBy.
var windowed = []string{"timeMin", "timeMax"}

// free are the parameters that may differ from page to page and from list to list.
// showDeleted may, as deleted events are always among the changes.
var free = []string{"pageToken", "syncToken", "maxResults", "showDeleted", "alt", "prettyPrint", "fields", "key", "quotaUser"}

// updatedFor is how far updatedMin may lie in the past. Google says "too far"
// alone; the fake assumes four weeks.
const updatedFor = 28 * day

func (t syncToken) String() string {
	data, err := json.Marshal(t)
	if err != nil {
		panic(err) // it is plain data
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

func readToken(text string) (syncToken, bool) {
	var t syncToken
	data, err := base64.RawURLEncoding.DecodeString(text)
	return t, err == nil && json.Unmarshal(data, &t) == nil
}

// parameters are those that have to stay the same.
func (c *call) parameters() string {
	same := maps.Clone(c.query)
	for _, name := range append(slices.Clone(free), windowed...) {
		delete(same, name)
	}
	return url.Values(same).Encode()
}

// synchronize reads the tokens of the list, and puts the page token that they
// wrap in the place of its own.
func (c *call) synchronize(of *fakeCalendar, from, to time.Time) (*synchronization, error) {
	s := &synchronization{call: c, calendar: of}
	s.token = syncToken{Calendar: of.id, Number: of.changes, Parameters: c.parameters(), From: from, To: to}
	if err := s.readSyncToken(); err != nil {
		return nil, err
	}
	if err := s.readUpdatedMin(); err != nil {
		return nil, err
	}
	page := c.query.Get("pageToken")
	if page == "" {
		return s, nil
	}
	t, ok := readToken(page)
	if !ok || t.Page == "" || t.Calendar != of.id || t.Parameters != s.token.Parameters || t.Sync != c.query.Get("syncToken") {
		return nil, wrong("Invalid page token value.")
	}
	c.query.Set("pageToken", t.Page)
	s.token.Number = t.Number // changes between the pages come with the next list
	return s, nil
}

func (s *synchronization) readSyncToken() error {
	text := s.call.query.Get("syncToken")
	if text == "" {
		return nil
	}
	for _, name := range restricting {
		if s.call.query.Has(name) {
			return atParameter(wrong("The parameter %s cannot be specified together with a sync token.", name), name)
		}
	}
	if s.call.query.Get("showDeleted") == "false" {
		return atParameter(wrong("Deleted events cannot be left out of a synchronization."), "showDeleted")
	}
	t, ok := readToken(text)
	if !ok || t.Page != "" || t.Calendar != s.calendar.id || t.Parameters != s.token.Parameters {
		return atParameter(wrong("Invalid sync token value."), "syncToken")
	}
	if t.Number < s.calendar.past.forgotten {
		return fullSyncRequired()
	}
	s.is, s.after, s.token.From, s.token.To = true, t.Number, t.From, t.To
	return nil
}

func (s *synchronization) readUpdatedMin() error {
	text := s.call.query.Get("updatedMin")
	if text == "" {
		return nil
	}
	s.updated, _ = time.Parse(time.RFC3339, text) // fits the document
	if s.updated.Before(s.calendar.server.now().Add(-updatedFor)) || s.updated.Before(s.calendar.past.since) {
		p := calendarProblem(410, "calendar", "updatedMinTooLongAgo", "The requested minimum modification time lies too far in the past.")
		return atParameter(p, "updatedMin")
	}
	return nil
}

func fullSyncRequired() error {
	return atParameter(calendarProblem(410, "calendar", "fullSyncRequired", "Sync token is no longer valid, a full sync is required."), "syncToken")
}

func atParameter(p *problem, name string) *problem {
	p.location, p.kind = name, "parameter"
	return p
}

// wants reports whether the list has the event, where a window and filters
// would have it or not. A stored event that has changed is listed wherever it
// now is, as it may have left the window.
func (s *synchronization) wants(e *fakeEvent, within, filtered bool) bool {
	switch {
	case s.is:
		stored := s.calendar.events[e.id] == e
		return e.change > s.after && (stored || within)
	case !s.updated.IsZero():
		updated, _ := time.Parse(time.RFC3339, e.text("updated"))
		return within && (filtered || e.cancelled()) && !updated.Before(s.updated)
	}
	return within && filtered
}

// gone are the instances that the list has to name though they are no more:
// of those that never differed from their series, a list of single events knows.
func (s *synchronization) gone(single bool) []*fakeEvent {
	var all []*fakeEvent
	for _, id := range slices.Sorted(maps.Keys(s.calendar.past.dropped)) {
		d := s.calendar.past.dropped[id]
		if s.is && d.event.change > s.after && (d.stored || single && s.calendar.within(d.event, s.token.From, s.token.To)) {
			all = append(all, d.event)
		}
	}
	return all
}

// finish puts the tokens on the page, of which there may be a next one.
func (s *synchronization) finish(page object, next string) object {
	if next != "" {
		t := s.token
		t.Page, t.Sync = next, s.call.query.Get("syncToken")
		page["nextPageToken"] = t.String()
		return page
	}
	for _, name := range restricting {
		if s.call.query.Has(name) && !slices.Contains(windowed, name) {
			return page
		}
	}
	page["nextSyncToken"] = s.token.String()
	return page
}

// ForgetCalendarChanges makes every sync token the user was given so far
// expire, of events and of the list of calendars: lists answer 410 for it.
func (u *User) ForgetCalendarChanges() {
	u.server.mu.Lock()
	defer u.server.mu.Unlock()
	for _, c := range u.server.calendars {
		if c.roles[strings.ToLower(u.Address)] == "" {
			continue
		}
		c.changes++
		c.past = past{forgotten: c.changes, since: u.server.now()}
	}
	u.diary.forgotten = u.server.nextEtag()
}
