package calendar

import (
	"strings"
	"testing"

	calendarapi "google.golang.org/api/calendar/v3"
)

func TestWhatGoogleKeepsOtherwiseIsFound(t *testing.T) {
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
		asked, has := lunch(&agenda{}, "k"), lunch(&agenda{}, "k")
		for _, e := range []*calendarapi.Event{asked, has} {
			e.Description, e.Location, e.Transparency, e.Recurrence = "Bring the figures", "Paris", "transparent", []string{"RRULE:FREQ=WEEKLY"}
		}
		change(has)
		if got := strings.Join(differing(has, asked), "|"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
