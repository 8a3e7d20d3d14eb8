package fakecalendar

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"kota/bundles/internal/google/googletest/fakeapi"
)

// Calendar is a calendar that a test gives to a user.
type Calendar struct {
	ID          string // "" makes the server choose one
	Summary     string
	Description string
	Zone        string // an IANA name; "" means that of the user's primary calendar
	Role        string // the user's accessRole; "" means "owner"
	Owner       string // its data owner; "" means the user, or somebody else if the user's role is not "owner"
	Color       string // a colorId
	Hidden      bool
	Unselected  bool
}

// SetZone sets the time zone of the user's primary calendar, which is initially
// UTC. It panics if the zone does not exist.
func (u CalendarUser) SetZone(name string) {
	mustZone(name)
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	calendarListOf(u.Account).primary.data["timeZone"] = name
	calendarListOf(u.Account).primary.etag = nextEtag(u.Server)
}

func mustZone(name string) {
	if _, err := loadZone(name); err != nil {
		panic(fmt.Sprintf("googletest: zone %q: %v", name, err))
	}
}

// AddCalendar makes a calendar, adds it to the user's list and returns its id.
// It panics if the zone or the role does not exist.
func (u CalendarUser) AddCalendar(cal Calendar) (id string) {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	if cal.ID == "" {
		cal.ID = u.Server.NextName() + "@group.calendar.google.com"
	}
	if cal.Zone == "" {
		cal.Zone = str(calendarListOf(u.Account).primary.data["timeZone"])
	}
	mustZone(cal.Zone)
	owner := cmp.Or(cal.Owner, u.Address)
	if cal.Owner == "" && cal.Role != "" && cal.Role != "owner" {
		owner = "owner@" + strings.ReplaceAll(cal.ID, "@", ".")
	}
	data := fakeapi.Object{"summary": cal.Summary, "timeZone": cal.Zone}
	if cal.Description != "" {
		data["description"] = cal.Description
	}
	made := newCalendar(u.Server, cal.ID, owner, data)
	u.addAccess(made, cal.Role, fakeapi.Object{"selected": !cal.Unselected, "colorId": cal.Color, "hidden": cal.Hidden})
	return cal.ID
}

// addAccess gives the user a role in the calendar, and an entry on the list.
func (u CalendarUser) addAccess(c *fakeCalendar, role string, entry fakeapi.Object) {
	if role == "" {
		role = "owner"
	}
	if ranks[role] == 0 {
		panic(fmt.Sprintf("googletest: there is no role %q", role))
	}
	c.rules[ruleID(u.Address)] = role
	maps.DeleteFunc(entry, func(_ string, value any) bool { return value == "" || value == false })
	if entry["colorId"] == nil {
		entry["colorId"] = "1"
	}
	entry["defaultReminders"] = []any{}
	calendarListOf(u.Account).addEntry(c, entry)
}

// ShareCalendar gives another person a role in a calendar of the user, and adds
// the calendar to that person's list. "primary" is the user's primary calendar.
func (u CalendarUser) ShareCalendar(id, with, role string) {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	CalendarUser{u.Server.Account(with)}.addAccess(u.mustCalendar(id), role, fakeapi.Object{"selected": true})
}

func (u CalendarUser) mustCalendar(id string) *fakeCalendar {
	found, _, err := u.calendarFor(id)
	if err != nil {
		panic(fmt.Sprintf("googletest: %s has no calendar %q", u.Address, id))
	}
	return found
}

// AddEvent makes an event by hand, without any mail, and returns its id. It
// acts as the user, or as the calendar's owner if the user may not write there.
// The event is JSON of the API: a string, or a value that json.Marshal encodes,
// such as a *calendar.Event or a map. AddEvent panics on an event that Google
// would refuse.
func (u CalendarUser) AddEvent(calendarID string, event any) (id string) {
	out, err := u.runAsUser(calendarID, "", event, insertEvent)
	if err != nil {
		panic(fmt.Sprintf("googletest: add event: %v", err))
	}
	return str(out.(fakeapi.Object)["id"])
}

// ChangeEvent patches an event without any mail, as a person does by hand. The
// event's etag changes. It panics on a patch that Google would refuse.
func (u CalendarUser) ChangeEvent(calendarID, id string, patch any) {
	if _, err := u.runAsUser(calendarID, id, patch, patchEvent); err != nil {
		panic(fmt.Sprintf("googletest: change event: %v", err))
	}
}

// DeleteEvent deletes an event or an instance by hand, without any mail. It
// panics if the event is absent.
func (u CalendarUser) DeleteEvent(calendarID, id string) {
	if _, err := u.runAsUser(calendarID, id, nil, deleteEvent); err != nil {
		panic(fmt.Sprintf("googletest: delete event: %v", err))
	}
}

// runAsUser runs a handler as the user, or as the calendar's owner if the
// user's role is below writer.
func (u CalendarUser) runAsUser(calendarID, id string, body any, handle fakeapi.Handler) (any, error) {
	data, isText := body.(string)
	if !isText && body != nil {
		written, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		data = string(written)
	}
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	calendar, account := u.mustCalendar(calendarID), u.Account
	if ranks[calendar.roleOf(u.Address)] < ranks["writer"] {
		account = &fakeapi.Account{Address: calendar.owner, Server: u.Server, State: u.State}
	}
	return handle(&fakeapi.Call{
		Server:  u.Server,
		Account: account,
		Method:  &fakeapi.Method{ID: "by hand"},
		Vars:    map[string]string{"calendarId": calendar.id, "eventId": id},
		Query:   map[string][]string{"sendUpdates": {"none"}, "conferenceDataVersion": {"1"}, "supportsAttachments": {"true"}},
		Body:    []byte(data),
	})
}

// Event returns an event of one of the user's calendars as the API shows it to
// the user: decoded JSON, also for a deleted event. It returns nil if the event
// is absent.
func (u CalendarUser) Event(calendarID, id string) map[string]any {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	c, v := u.ownerView(calendarID)
	e := c.event(id)
	if e == nil {
		return nil
	}
	return v.show(e)
}

// Events returns the stored events of one of the user's calendars, sorted by id
// and without deleted ones. These are single events, series, and instances that
// differ from their series.
func (u CalendarUser) Events(calendarID string) []map[string]any {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	c, v := u.ownerView(calendarID)
	var all []map[string]any
	for _, e := range c.all() {
		if !e.cancelled() {
			all = append(all, v.show(e))
		}
	}
	return all
}

func (u CalendarUser) ownerView(calendarID string) (*fakeCalendar, view) {
	c := u.mustCalendar(calendarID)
	return c, view{calendar: c, role: c.roleOf(u.Address), user: u.Account, zone: c.zone()}
}
