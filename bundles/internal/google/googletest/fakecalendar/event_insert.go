package fakecalendar

import (
	"strings"
	"time"

	"kota/bundles/internal/google/googletest/fakeapi"
)

func insertEvent(c *fakeapi.Call) (any, error) {
	e, body, err := newEdit(c, "writerWithoutPrivateAccess")
	if err != nil {
		return nil, err
	}
	id := str(body["id"])
	if id != "" && !isClientID(id) {
		return nil, invalidValue("Invalid resource id value.")
	}
	if id != "" && e.calendar.events[id] != nil {
		return nil, duplicate()
	}
	if id == "" {
		id = e.calendar.newEventID()
	}
	uid := str(body["iCalUID"])
	if uid == "" {
		uid = id + "@google.com"
	}
	e.next = e.calendar.newEventData(uid, c.Account.Address)
	merge(e.next, without(body, ignoredEventFields))
	if body["privateCopy"] == true {
		e.next["privateCopy"] = true
	}
	e.event, e.inserted = &fakeEvent{id: id}, true
	return e.commit(body)
}

// isClientID reports whether a client may choose the id: 5 to 1024 characters of
// lower-case base32hex.
func isClientID(id string) bool {
	return len(id) >= 5 && len(id) <= 1024 && strings.Trim(id, "0123456789abcdefghijklmnopqrstuv") == ""
}

// newEventID returns an id in Google's form: 26 characters of base32hex.
func (c *fakeCalendar) newEventID() string {
	return "fake" + c.server.NextName()
}

// newEventData returns a new event of the calendar.
func (c *fakeCalendar) newEventData(uid, creator string) fakeapi.Object {
	return fakeapi.Object{
		"status":    "confirmed",
		"iCalUID":   uid,
		"sequence":  0.0,
		"eventType": "default",
		"created":   stamp(c.server.Now()),
		"updated":   stamp(c.server.Now()),
		"creator":   fakeapi.Object{"email": creator},
		"organizer": c.organizer(),
		"reminders": fakeapi.Object{"useDefault": true},
	}
}

// organizer returns the calendar as the organizer of its events.
func (c *fakeCalendar) organizer() fakeapi.Object {
	if c.primary {
		return fakeapi.Object{"email": c.id}
	}
	return fakeapi.Object{"email": c.id, "displayName": c.data["summary"]}
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
