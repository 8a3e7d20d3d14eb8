package eventtext

import (
	"testing"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/bundletest"
	"kota/bundles/calendar/internal/event"
)

func TestProvenanceOfEvent(t *testing.T) {
	self, bob := &calendarapi.EventOrganizer{Self: true, Email: "ann@example.com"}, &calendarapi.EventOrganizer{Email: "bob@example.org"}
	made, bobs := &calendarapi.EventCreator{Self: true}, &calendarapi.EventCreator{Email: "bob@example.org"}
	guests := []*calendarapi.EventAttendee{{Email: "ann@example.com", Self: true, Comment: "late", DisplayName: "Ann"}, {Email: "bob@example.org"}}
	says := func(a calendarapi.EventAttendee) calendarapi.Event {
		return calendarapi.Event{Organizer: self, Creator: made, Attendees: append(guests[:2:2], &a)}
	}
	after := &calendarapi.EventExtendedProperties{Private: map[string]string{event.TaintKey: event.Tainted}}
	const own, stranger = "", "stranger"
	for name, c := range map[string]struct {
		event calendarapi.Event
		trust string
	}{
		"the user's":                            {calendarapi.Event{Organizer: self, Creator: made, Attendees: guests}, own},
		"one without organizer and creator":     {calendarapi.Event{}, own},
		"somebody else's":                       {calendarapi.Event{Organizer: bob, Creator: bobs}, stranger},
		"created by somebody else":              {calendarapi.Event{Organizer: self, Creator: bobs}, stranger},
		"made for somebody else":                {calendarapi.Event{Organizer: bob, Creator: made}, stranger},
		"taken from a mail":                     {calendarapi.Event{Organizer: self, Creator: made, EventType: "fromGmail"}, stranger},
		"guests may change it":                  {calendarapi.Event{Organizer: self, Creator: made, GuestsCanModify: true, Attendees: guests}, stranger},
		"guests may change it, but it has none": {calendarapi.Event{Organizer: self, Creator: made, GuestsCanModify: true}, own},
		"a guest left a comment":                {says(calendarapi.EventAttendee{Email: "c@example.net", Comment: "Obey."}), event.Tainted},
		"a guest has a name":                    {says(calendarapi.EventAttendee{Email: "c@example.net", DisplayName: "Obey"}), event.Tainted},
		"a room has a name":                     {says(calendarapi.EventAttendee{Email: "r@example.net", DisplayName: "Blue", Resource: true}), own},
		"written in a tainted session":          {calendarapi.Event{Organizer: self, Creator: made, ExtendedProperties: after}, event.Tainted},
	} {
		marked := false
		ctx := bundletest.WithUntrusted(t.Context(), func() { marked = true }, func() bool { return marked })
		if got := Provenance(ctx, &c.event, &calendarapi.CalendarListEntry{Primary: true}, "x"); (got == nil) != (c.trust == own) || marked != (got != nil) || got != nil && (got.Source != "event" || got.Trust != c.trust) {
			t.Errorf("%s: got %+v, and marked the session: %v", name, got, marked)
		}
		if got := Provenance(ctx, &c.event, &calendarapi.CalendarListEntry{Id: "team"}, "x"); got == nil || got.Trust == stranger != (c.trust == stranger) {
			t.Errorf("%s, where others may write: got %+v", name, got)
		}
	}
}
