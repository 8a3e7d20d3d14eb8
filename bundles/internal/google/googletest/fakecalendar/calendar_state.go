package fakecalendar

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// fakeCalendar is a calendar that several users may see. The server's lock
// guards it.
type fakeCalendar struct {
	server  *fakeapi.Server
	id      string                // an address; the owner's for a primary calendar
	owner   string                // the address of its data owner
	primary bool                  // the owner's primary calendar
	data    fakeapi.Object        // the Calendar resource, without kind, id and etag
	etag    uint64                // the etag of the resource, not of its events
	rules   map[string]string     // roles by the id of the rule
	events  map[string]*fakeEvent // by id, including deleted ones and stored instances
	changes uint64                // number of the last change of an event
	updated time.Time             // the time of the last change of an event
	dropped droppedInstances      // instances that no longer exist
}

// fakeEvent is one calendar's copy of an event: a single event, a series, or an
// instance of a series. An instance has a recurringEventId. It is stored only
// if it differs from its series.
type fakeEvent struct {
	id                  string
	data                fakeapi.Object // the Event resource, without kind, etag and what depends on the reader
	etag                uint64
	change              uint64         // the number of its last change in its calendar
	pending             int            // reads until its conference is ready; 0 if none is pending
	expandedData        fakeapi.Object // the data from which its instances were last made
	cancelledWithSeries bool           // an instance that was cancelled together with its series
}

// calendarList is a user's view of the calendars.
type calendarList struct {
	primary   *fakeCalendar
	list      []*listEntry
	forgotten uint64 // sync tokens of the list before this etag have expired
}

// listEntry is an entry of a user's calendarList.
type listEntry struct {
	calendar *fakeCalendar
	data     fakeapi.Object // what the user set: colorId, selected, summaryOverride and so on
	deleted  bool
	etag     uint64
}

// ranks are the roles in ascending order (Calendar API reference, CalendarList,
// accessRole).
var ranks = map[string]int{
	"freeBusyReader":             1,
	"reader":                     2,
	"writerWithoutPrivateAccess": 3,
	"writer":                     4,
	"owner":                      5,
}

func newCalendarList(address string, s *fakeapi.Server) *calendarList {
	d := &calendarList{}
	d.primary = newCalendar(s, address, address, fakeapi.Object{"summary": address, "timeZone": "UTC"})
	d.primary.primary = true
	d.addEntry(d.primary, fakeapi.Object{"selected": true, "colorId": "14", "defaultReminders": []any{fakeapi.Object{"method": "popup", "minutes": 10}}})
	return d
}

// newCalendar makes a calendar. Its owner has all rights.
func newCalendar(s *fakeapi.Server, id, owner string, data fakeapi.Object) *fakeCalendar {
	c := &fakeCalendar{
		server:  s,
		id:      id,
		owner:   owner,
		data:    data,
		etag:    nextEtag(s),
		rules:   map[string]string{ruleID(owner): "owner"},
		events:  map[string]*fakeEvent{},
		updated: s.Now(),
	}
	calendarsOf(s).calendars[strings.ToLower(id)] = c
	return c
}

// addEntry adds the calendar to the list, with the user's settings for it.
func (d *calendarList) addEntry(c *fakeCalendar, data fakeapi.Object) *listEntry {
	entry := d.entry(c)
	if entry == nil {
		entry = &listEntry{calendar: c}
		d.list = append(d.list, entry)
	}
	entry.data, entry.deleted, entry.etag = data, false, nextEtag(c.server)
	return entry
}

func (d *calendarList) entry(c *fakeCalendar) *listEntry {
	at := slices.IndexFunc(d.list, func(l *listEntry) bool { return l.calendar == c })
	if at < 0 {
		return nil
	}
	return d.list[at]
}

// nextEtag returns a number larger than all earlier ones. Google's etags are
// twice the time of the change in microseconds.
func nextEtag(s *fakeapi.Server) uint64 {
	calendarsOf(s).etags = max(calendarsOf(s).etags+2000, uint64(s.Now().UnixMilli())*2000)
	return calendarsOf(s).etags
}

func etag(number uint64) string { return fmt.Sprintf(`"%d"`, number) }

// zone returns the calendar's zone, which its answers use.
func (c *fakeCalendar) zone() *time.Location {
	zone, err := loadZone(c.data["timeZone"])
	if err != nil {
		panic(err) // only valid zones are stored
	}
	return zone
}

// event returns the event or the instance with that id, deleted or not, or nil.
// An unchanged instance is generated and not stored.
func (c *fakeCalendar) event(id string) *fakeEvent {
	if e := c.events[id]; e != nil {
		return e
	}
	return c.instance(id)
}

// all returns the stored events, sorted by id.
func (c *fakeCalendar) all() []*fakeEvent {
	var all []*fakeEvent
	for _, id := range slices.Sorted(maps.Keys(c.events)) {
		all = append(all, c.events[id])
	}
	return all
}

// put stores a changed event, and updates the instances of a changed series.
func (c *fakeCalendar) put(e *fakeEvent) {
	c.changes++
	e.change, e.etag = c.changes, nextEtag(c.server)
	c.updated = c.server.Now()
	c.events[e.id] = e
	c.updateInstances(e)
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

// series returns the id of the series of an instance, or "".
func (e *fakeEvent) series() string { return e.text("recurringEventId") }

// bounds returns the instants at which the event starts and ends; midnights for
// whole days.
func (c *fakeCalendar) bounds(e *fakeEvent) (start, end time.Time) {
	return c.instant(e.data["start"]), c.instant(e.data["end"])
}

// instant returns the time of a stored EventDateTime.
func (c *fakeCalendar) instant(value any) time.Time {
	fields, _ := value.(fakeapi.Object)
	if day, ok := fields["date"].(string); ok {
		t, err := time.ParseInLocation(time.DateOnly, day, c.zone())
		if err != nil {
			panic(err) // only valid days are stored
		}
		return t
	}
	at, _ := fields["dateTime"].(string)
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		panic(err) // only valid times are stored
	}
	return t
}

// calendarServer is the server's state of all calendars.
type calendarServer struct {
	explicit bool // every change of an event with guests must have sendUpdates
	pending  int  // reads of an event until a new conference is ready
	failing  bool // new conferences fail

	calendars   map[string]*fakeCalendar // by lower-case id
	etags       uint64
	invitations []Invitation
	groups      map[string][]string // ids of calendars, by the lower-case address of the group
	unknown     map[string]string   // why freeBusy of a calendar fails, by lower-case id
}

func newCalendarServer() any {
	return &calendarServer{calendars: map[string]*fakeCalendar{}, groups: map[string][]string{}, unknown: map[string]string{}}
}

// calendarsOf returns the server's state of calendars. The server's lock guards
// it.
func calendarsOf(s *fakeapi.Server) *calendarServer { return s.State["calendar"].(*calendarServer) }

// calendarListOf returns the account's view of the calendars.
func calendarListOf(u *fakeapi.Account) *calendarList { return u.State["calendar"].(*calendarList) }

// CalendarUser is an account as a user of Calendar.
type CalendarUser struct{ *fakeapi.Account }
