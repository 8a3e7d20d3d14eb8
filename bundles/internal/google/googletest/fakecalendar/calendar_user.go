package fakecalendar

import (
	"cmp"
	"encoding/json"
	"fmt"
	"kota/bundles/internal/google/googletest/fakeapi"
	"maps"
	"strings"
)

// A Calendar is a calendar that a test gives to a user.
type Calendar struct {
	ID          string // "" is one that the server makes
	Summary     string
	Description string
	Zone        string // of the time zone database; "" is that of the user's primary calendar
	Role        string // what the user may do, as accessRole has it; "" is "owner"
	Owner       string // its data owner; "" is the user, or somebody else where the user has another role than "owner"
	Color       string // a colorId
	Hidden      bool
	Unselected  bool
}

// Zone sets the time zone of the user's primary calendar, which is UTC at first.
// It panics when there is no such zone.
func (u CalendarUser) Zone(name string) {
	mustZone(name)
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	diaryOf(u.Account).primary.data["timeZone"] = name
	diaryOf(u.Account).primary.etag = nextEtag(u.Server)
}

func mustZone(name string) {
	if _, err := loadZone(name); err != nil {
		panic(fmt.Sprintf("googletest: zone %q: %v", name, err))
	}
}

// AddCalendar makes a calendar, puts it on the user's list and returns its id.
// It panics when there is no such zone or role.
func (u CalendarUser) AddCalendar(cal Calendar) (id string) {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	if cal.ID == "" {
		cal.ID = u.Server.NextName() + "@group.calendar.google.com"
	}
	if cal.Zone == "" {
		cal.Zone = str(diaryOf(u.Account).primary.data["timeZone"])
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
	u.sees(made, cal.Role, fakeapi.Object{"selected": !cal.Unselected, "colorId": cal.Color, "hidden": cal.Hidden})
	return cal.ID
}

// sees gives the user a role in the calendar, and an entry on the list.
func (u CalendarUser) sees(c *fakeCalendar, role string, entry fakeapi.Object) {
	if role == "" {
		role = "owner"
	}
	if ranks[role] == 0 {
		panic(fmt.Sprintf("googletest: there is no role %q", role))
	}
	c.rules[ruleOf(u.Address)] = role
	maps.DeleteFunc(entry, func(_ string, value any) bool { return value == "" || value == false })
	if entry["colorId"] == nil {
		entry["colorId"] = "1"
	}
	entry["defaultReminders"] = []any{}
	diaryOf(u.Account).listed(c, entry)
}

// ShareCalendar gives somebody else a role in a calendar of the user, whose
// list it is put on; "primary" is the user's own.
func (u CalendarUser) ShareCalendar(id, with, role string) {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	CalendarUser{u.Server.Account(with)}.sees(u.mustCalendar(id), role, fakeapi.Object{"selected": true})
}

func (u CalendarUser) mustCalendar(id string) *fakeCalendar {
	found, _, err := u.calendarFor(id)
	if err != nil {
		panic(fmt.Sprintf("googletest: %s has no calendar %q", u.Address, id))
	}
	return found
}

// AddEvent makes an event as the user does by hand, or as the calendar's owner
// does where the user may not write, without any mail, and returns its id. The
// event is written in the API's JSON: a string, or what json.Marshal makes into
// one, such as a *calendar.Event or a map. It panics on an event that Google would
// refuse.
func (u CalendarUser) AddEvent(calendarID string, event any) (id string) {
	out, err := u.byHand(calendarID, "", event, insertEvent)
	if err != nil {
		panic(fmt.Sprintf("googletest: add event: %v", err))
	}
	return str(out.(fakeapi.Object)["id"])
}

// ChangeEvent patches an event as somebody does by hand, without any mail: its
// etag changes. It panics on a patch that Google would refuse.
func (u CalendarUser) ChangeEvent(calendarID, id string, patch any) {
	if _, err := u.byHand(calendarID, id, patch, patchEvent); err != nil {
		panic(fmt.Sprintf("googletest: change event: %v", err))
	}
}

// DeleteEvent deletes an event, or an instance of one, by hand, without any
// mail. It panics when there is none.
func (u CalendarUser) DeleteEvent(calendarID, id string) {
	if _, err := u.byHand(calendarID, id, nil, deleteEvent); err != nil {
		panic(fmt.Sprintf("googletest: delete event: %v", err))
	}
}

// byHand runs a handler as a client of the user's would, or of the calendar's
// owner's: what is there for a reader was written by somebody else.
func (u CalendarUser) byHand(calendarID, id string, body any, handle fakeapi.Handler) (any, error) {
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
	of, by := u.mustCalendar(calendarID), u.Account
	if ranks[of.roleOf(u.Address)] < ranks["writer"] {
		by = &fakeapi.Account{Address: of.owner, Server: u.Server, State: u.State}
	}
	return handle(&fakeapi.Call{
		Server:  u.Server,
		Account: by,
		Method:  &fakeapi.Method{ID: "by hand"},
		Vars:    map[string]string{"calendarId": of.id, "eventId": id},
		Query:   map[string][]string{"sendUpdates": {"none"}, "conferenceDataVersion": {"1"}, "supportsAttachments": {"true"}},
		Body:    []byte(data),
	})
}

// Event returns an event of one of the user's calendars as the API shows it to
// the user: decoded JSON, deleted ones as well. It returns nil if there is none.
func (u CalendarUser) Event(calendarID, id string) map[string]any {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	c, v := u.look(calendarID)
	e := c.event(id)
	if e == nil {
		return nil
	}
	return v.show(e)
}

// Events returns the stored events of one of the user's calendars that are not
// deleted, in the order of their ids: series, not their instances, and the
// instances that differ.
func (u CalendarUser) Events(calendarID string) []map[string]any {
	u.Server.Mu.Lock()
	defer u.Server.Mu.Unlock()
	c, v := u.look(calendarID)
	var all []map[string]any
	for _, e := range c.all() {
		if !e.cancelled() {
			all = append(all, v.show(e))
		}
	}
	return all
}

func (u CalendarUser) look(calendarID string) (*fakeCalendar, view) {
	c := u.mustCalendar(calendarID)
	return c, view{calendar: c, role: c.roleOf(u.Address), user: u.Account, zone: c.zone()}
}
