package event

import (
	"strings"
	"testing"

	calendarapi "google.golang.org/api/calendar/v3"
)

func lunchWithBob() *calendarapi.Event {
	return &calendarapi.Event{
		Summary:   "Lunch",
		Start:     &calendarapi.EventDateTime{DateTime: "2026-11-24T12:00:00+01:00", TimeZone: "Europe/Amsterdam"},
		End:       &calendarapi.EventDateTime{DateTime: "2026-11-24T13:00:00+01:00", TimeZone: "Europe/Amsterdam"},
		Attendees: []*calendarapi.EventAttendee{{Email: "bob@example.org"}},
	}
}

func TestMatchesPatch(t *testing.T) {
	now := lunchWithBob()
	now.Location, now.Attendees[0].ResponseStatus = "Paris", "accepted"
	now.Attendees = append(now.Attendees, &calendarapi.EventAttendee{Email: "carol@example.org", Optional: true, Comment: "late", AdditionalGuests: 1})
	now.Recurrence = []string{"RRULE:FREQ=WEEKLY;UNTIL=20261231;BYDAY=TU"}
	for patch, want := range map[string]bool{
		`{}`:                   true,
		`{"location":"Paris"}`: true,
		`{"location":"Rome"}`:  false,
		`{"description":null,"guestsCanModify":false,"colorId":""}`: true,
		`{"location":null}`: false,
		`{"start":{"dateTime":"2026-11-24T11:00:00Z","date":null}}`: true,
		`{"start":{"dateTime":"2026-11-24T12:00:00Z"}}`:             false,
		`{"location":"paris"}`:                                      false,
		`{"summary":"LUNCH"}`:                                       false,
		`{"attendees":[{"email":"BOB@example.org"},{"email":"carol@example.org","optional":true,"comment":"late","additionalGuests":1}]}`: true,
		`{"attendees":[{"email":"bob@example.org"},{"email":"carol@example.org","comment":"late","additionalGuests":1}]}`:                 false,
		`{"attendees":[{"email":"bob@example.org"},{"email":"carol@example.org","optional":true,"additionalGuests":1}]}`:                  false,
		`{"attendees":[{"email":"bob@example.org"},{"email":"carol@example.org","optional":true,"comment":"late"}]}`:                      false,
		`{"attendees":[{"email":"bob@example.org","responseStatus":"accepted"}],"attendeesOmitted":true}`:                                 true,
		`{"attendees":[]}`: false,
		`{"attendees":[{"email":"bob@example.org"},{"email":"eve@bad.org"}]}`:           false,
		`{"visibility":"default","transparency":"opaque","guestsCanInviteOthers":true}`: true,
		`{"visibility":"private"}`:                                     false,
		`{"transparency":null}`:                                        true,
		`{"guestsCanInviteOthers":false}`:                              false,
		`{"recurrence":["RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20261231"]}`: true,
		`{"recurrence":["RRULE:FREQ=WEEKLY;BYDAY=WE;UNTIL=20261231"]}`: false,
		`nonsense`: false,
	} {
		if got := MatchesPatch(now, []byte(patch)); got != want {
			t.Errorf("%s: got %v", patch, got)
		}
	}
}

func TestDifferingFields(t *testing.T) {
	for want, change := range map[string]func(*calendarapi.Event){
		"": func(e *calendarapi.Event) {
			e.Start = &calendarapi.EventDateTime{DateTime: "2026-11-24T11:00:00Z", TimeZone: "Europe/Amsterdam"} // the same moment
			e.Attendees = append(e.Attendees, &calendarapi.EventAttendee{Email: "ann@example.com", Organizer: true})
			e.Attendees[0].ResponseStatus = "needsAction"
			e.Etag, e.Visibility = `"1"`, "default"
		},
		"start":            func(e *calendarapi.Event) { e.Start.DateTime = "2026-11-24T13:00:00+01:00" },
		"description":      func(e *calendarapi.Event) { e.Description = "Bring" },
		"list of guests":   func(e *calendarapi.Event) { e.Attendees = nil },
		"recurrence":       func(e *calendarapi.Event) { e.Recurrence = []string{"RRULE:FREQ=DAILY"} },
		"location|show_as": func(e *calendarapi.Event) { e.Location, e.Transparency = "", "opaque" },
	} {
		asked, has := lunchWithBob(), lunchWithBob()
		for _, e := range []*calendarapi.Event{asked, has} {
			e.Description, e.Location, e.Transparency, e.Recurrence = "Bring the figures", "Paris", "transparent", []string{"RRULE:FREQ=WEEKLY"}
		}
		change(has)
		if got := strings.Join(DifferingFields(has, asked), "|"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
