package calendar

import (
	"testing"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
)

func TestAnEventIsTheUsersOnlyWhereNobodyElseCanHaveWrittenIt(t *testing.T) {
	self, bob := &calendarapi.EventOrganizer{Self: true, Email: "ann@example.com"}, &calendarapi.EventOrganizer{Email: "bob@example.org"}
	made, bobs := &calendarapi.EventCreator{Self: true}, &calendarapi.EventCreator{Email: "bob@example.org"}
	guests := []*calendarapi.EventAttendee{{Email: "bob@example.org"}}
	for name, c := range map[string]struct {
		event calendarapi.Event
		own   bool
	}{
		"the user's":                              {calendarapi.Event{Organizer: self, Creator: made, Attendees: guests}, true},
		"one of which Google tells no more":       {calendarapi.Event{}, true},
		"somebody else's":                         {calendarapi.Event{Organizer: bob, Creator: bobs}, false},
		"of a calendar that others write to":      {calendarapi.Event{Organizer: self, Creator: bobs}, false},
		"made for somebody else":                  {calendarapi.Event{Organizer: bob, Creator: made}, false},
		"taken out of a mail":                     {calendarapi.Event{Organizer: self, Creator: made, EventType: "fromGmail"}, false},
		"one that its guests may change":          {calendarapi.Event{Organizer: self, Creator: made, GuestsCanModify: true, Attendees: guests}, false},
		"one that guests could change, if it had": {calendarapi.Event{Organizer: self, Creator: made, GuestsCanModify: true}, true},
	} {
		told := false
		ctx := bundles.WithForeign(t.Context(), func() { told = true }, func() bool { return told })
		if got := provenanceOf(ctx, &c.event, "x"); (got == nil) != c.own || told == c.own || got != nil && (got.Source != "event" || got.Sender != "x") {
			t.Errorf("%s: got %+v, and told the session: %v", name, got, told)
		}
	}
}
