package fakecalendar

import (
	"fmt"
	"kota/bundles/internal/google/googletest/fakeapi"
	"maps"
	"slices"
	"strings"
	"time"
)

// A fakeCalendar is a calendar that several users may see. The server's lock guards it.
type fakeCalendar struct {
	server  *fakeapi.Server
	id      string                // an address; of a primary calendar the user's
	owner   string                // address of the user who made it
	primary bool                  // of its owner
	data    fakeapi.Object        // the Calendar resource, without kind, id and etag
	etag    uint64                // of the resource, not of its events
	rules   map[string]string     // who has which role, by the id of the rule
	events  map[string]*fakeEvent // by id, deleted ones and stored instances as well
	changes uint64                // number of the last change of an event
	updated time.Time             // of the last change of an event
	past    past
}

// A fakeEvent is one calendar's copy of an event: a single one, a series, or an
// instance that differs from its series, which has a recurringEventId.
type fakeEvent struct {
	id      string
	data    fakeapi.Object // the Event resource, without kind, etag and what depends on who asks
	etag    uint64
	change  uint64         // number of its last change in its calendar
	pending int            // reads after which its conference is there; 0 is none awaited
	was     fakeapi.Object // the data its instances were last made from
	fallen  bool           // an instance that was cancelled with its series
}

// A diary is what a user sees of the calendars.
type diary struct {
	primary   *fakeCalendar
	list      []*listing
	forgotten uint64 // sync tokens of the list from before this etag have expired
}

// A listing is an entry of a user's calendarList.
type listing struct {
	calendar *fakeCalendar
	data     fakeapi.Object // what the user set: colorId, selected, summaryOverride and so on
	deleted  bool
	etag     uint64
}

// ranks order the roles (Calendar API reference, CalendarList, accessRole).
var ranks = map[string]int{
	"freeBusyReader":             1,
	"reader":                     2,
	"writerWithoutPrivateAccess": 3,
	"writer":                     4,
	"owner":                      5,
}

func newDiary(address string, s *fakeapi.Server) *diary {
	d := &diary{}
	d.primary = newCalendar(s, address, address, fakeapi.Object{"summary": address, "timeZone": "UTC"})
	d.primary.primary = true
	d.listed(d.primary, fakeapi.Object{"selected": true, "colorId": "14", "defaultReminders": []any{fakeapi.Object{"method": "popup", "minutes": 10}}})
	return d
}

// newCalendar makes a calendar that its owner may do everything with.
func newCalendar(s *fakeapi.Server, id, owner string, data fakeapi.Object) *fakeCalendar {
	c := &fakeCalendar{
		server:  s,
		id:      id,
		owner:   owner,
		data:    data,
		etag:    nextEtag(s),
		rules:   map[string]string{ruleOf(owner): "owner"},
		events:  map[string]*fakeEvent{},
		updated: s.Now(),
	}
	calendarsOf(s).calendars[strings.ToLower(id)] = c
	return c
}

// listed puts the calendar on the list, with what the user set for it.
func (d *diary) listed(c *fakeCalendar, data fakeapi.Object) *listing {
	entry := d.entry(c)
	if entry == nil {
		entry = &listing{calendar: c}
		d.list = append(d.list, entry)
	}
	entry.data, entry.deleted, entry.etag = data, false, nextEtag(c.server)
	return entry
}

func (d *diary) entry(c *fakeCalendar) *listing {
	at := slices.IndexFunc(d.list, func(l *listing) bool { return l.calendar == c })
	if at < 0 {
		return nil
	}
	return d.list[at]
}

// nextEtag returns a number larger than every one before. Google's etags are
// twice the time of the change in microseconds.
func nextEtag(s *fakeapi.Server) uint64 {
	calendarsOf(s).etags = max(calendarsOf(s).etags+2000, uint64(s.Now().UnixMilli())*2000)
	return calendarsOf(s).etags
}

func etag(number uint64) string { return fmt.Sprintf(`"%d"`, number) }

// zone is the calendar's, in which it answers.
func (c *fakeCalendar) zone() *time.Location {
	zone, err := loadZone(c.data["timeZone"])
	if err != nil {
		panic(err) // only good zones are stored
	}
	return zone
}

// event returns the event or the instance with that id, deleted or not, or nil.
// An instance that was never changed is made for the answer, not stored.
func (c *fakeCalendar) event(id string) *fakeEvent {
	if e := c.events[id]; e != nil {
		return e
	}
	return c.instance(id)
}

// all are the stored events in a stable order: of their ids.
func (c *fakeCalendar) all() []*fakeEvent {
	var all []*fakeEvent
	for _, id := range slices.Sorted(maps.Keys(c.events)) {
		all = append(all, c.events[id])
	}
	return all
}

// put stores the event as one that has just changed.
func (c *fakeCalendar) put(e *fakeEvent) {
	c.changes++
	e.change, e.etag = c.changes, nextEtag(c.server)
	c.updated = c.server.Now()
	c.events[e.id] = e
	c.follow(e)
}

func (e *fakeEvent) text(name string) string {
	value, _ := e.data[name].(string)
	return value
}

func (e *fakeEvent) cancelled() bool { return e.text("status") == "cancelled" }

// recurs reports whether the event is a series.
func (e *fakeEvent) recurs() bool {
	lines, _ := e.data["recurrence"].([]any)
	return len(lines) > 0
}

// series is the id of the series the event is an instance of, or "".
func (e *fakeEvent) series() string { return e.text("recurringEventId") }

// bounds are the instants at which the event starts and ends; midnights if all day.
func (c *fakeCalendar) bounds(e *fakeEvent) (start, end time.Time) {
	return c.instant(e.data["start"]), c.instant(e.data["end"])
}

// instant is the time a stored EventDateTime means.
func (c *fakeCalendar) instant(value any) time.Time {
	of, _ := value.(fakeapi.Object)
	if day, ok := of["date"].(string); ok {
		t, err := time.ParseInLocation(time.DateOnly, day, c.zone())
		if err != nil {
			panic(err) // only good days are stored
		}
		return t
	}
	at, _ := of["dateTime"].(string)
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		panic(err) // only good times are stored
	}
	return t
}

// calendarServer is what the server keeps of all calendars.
type calendarServer struct {
	explicit bool // sendUpdates is wanted of every change of an event with guests
	pending  int  // reads of an event after which a new conference is there
	failing  bool // new conferences fail

	calendars   map[string]*fakeCalendar // by lower-case id
	etags       uint64
	invitations []Invitation
	groups      map[string][]string // calendars by lower-case address
	unknown     map[string]string   // why freeBusy of a calendar fails, by lower-case id
}

func newCalendarServer() any {
	return &calendarServer{calendars: map[string]*fakeCalendar{}, groups: map[string][]string{}, unknown: map[string]string{}}
}

// calendarsOf returns what the server keeps of calendars. Its lock guards that.
func calendarsOf(s *fakeapi.Server) *calendarServer { return s.State["calendar"].(*calendarServer) }

// diaryOf returns what the account sees of the calendars.
func diaryOf(u *fakeapi.Account) *diary { return u.State["calendar"].(*diary) }

// A CalendarUser is an account as a user of Calendar.
type CalendarUser struct{ *fakeapi.Account }
