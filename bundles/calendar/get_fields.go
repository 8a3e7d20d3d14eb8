package calendar

import (
	"slices"
	"strings"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/eventtext"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/timeparse"
)

// stampOf returns one of Google's timestamps in the zone, to the minute. It returns "" if
// the timestamp is invalid.
func stampOf(text string, zone *time.Location) string {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return ""
	}
	return timeparse.Stamp(t.In(zone).Truncate(time.Minute))
}

// remindersOf lists when the user is reminded: "10m popup, 1 day email".
func remindersOf(from *agenda.Source, e *calendarapi.Event) string {
	if e.Reminders == nil {
		return ""
	}
	list, suffix := e.Reminders.Overrides, ""
	if e.Reminders.UseDefault {
		list, suffix = from.Entry.DefaultReminders, " (the calendar's)"
	}
	words := eventtext.Reminders(list)
	if words == "" {
		words = "none"
	}
	return words + suffix
}

// workplace returns the place in a working location, or "" for any other event.
func workplace(e *calendarapi.Event) string {
	at := e.WorkingLocationProperties
	switch {
	case at == nil:
		return ""
	case at.OfficeLocation != nil:
		parts := slices.DeleteFunc([]string{"office", at.OfficeLocation.Label, at.OfficeLocation.BuildingId, at.OfficeLocation.DeskId}, func(s string) bool { return s == "" })
		return htmltext.Line(strings.Join(parts, " "))
	case at.CustomLocation != nil && at.CustomLocation.Label != "":
		return htmltext.Line(at.CustomLocation.Label)
	case at.Type == "homeOffice":
		return "home"
	}
	return htmltext.Line(at.Type)
}
