package eventtext

import (
	"slices"
	"strings"
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles"
	"kota/bundles/calendar/internal/event"
	"kota/bundles/calendar/internal/eventtime"
)

// Which is the name of the line that says which part of a series is meant.
const Which = "Which"

// whichOf returns the Which line of an event, or nil if it does not repeat.
func whichOf(e *calendarapi.Event, zone *time.Location) []bundles.Line {
	switch {
	case len(e.Recurrence) > 0:
		return []bundles.Line{{Name: Which, Text: "the whole series, " + Repeating(e.Recurrence, e, zone)}}
	case e.RecurringEventId != "":
		return []bundles.Line{{Name: Which, Text: "this one of a series"}}
	}
	return nil
}

// WhichFollow returns the Which line of an instance and all after it.
func WhichFollow(one, series *calendarapi.Event, zone *time.Location) bundles.Line {
	return bundles.Line{Name: Which, Text: "this and all that follow, from " + whenThere(one, zone) + " on, of the series " + Repeating(series.Recurrence, series, zone)}
}

// Repeating describes the recurrence of an event, and says if it has no end.
func Repeating(lines []string, e *calendarapi.Event, zone *time.Location) string {
	s, _ := eventtime.Of(e, zone)
	text := Rule(lines, s)
	if slices.ContainsFunc(lines, endless) {
		text += ", without end"
	}
	return text
}

// endless reports whether a line is a rule that never ends.
func endless(line string) bool {
	line = strings.ToUpper(line)
	return strings.HasPrefix(line, "RRULE") && !HasPart(line, "COUNT", "UNTIL")
}

// whenThere says when an event takes place in the zone. It adds the event's own zone if
// that differs, because a series follows the clocks of its own zone.
func whenThere(e *calendarapi.Event, zone *time.Location) string {
	s, ok := eventtime.Of(e, zone)
	text := event.When(e, zone)
	if !ok || s.AllDay || s.Zone.String() == zone.String() {
		return text
	}
	if own := s.Words(s.Zone); own != text {
		return text + " (" + own + ", " + s.Zone.String() + ")"
	}
	return text + " (" + s.Zone.String() + ")"
}

// changedZone returns the line of a change of the event's zone. It returns nil if the zone
// stays the same, or if either version has whole days.
func changedZone(was, is *calendarapi.Event, zone *time.Location) []bundles.Line {
	before, ok := eventtime.Of(was, zone)
	after, known := eventtime.Of(is, zone)
	if !ok || !known || before.AllDay || after.AllDay || before.Zone.String() == after.Zone.String() {
		return nil
	}
	return []bundles.Line{{Name: NewField + "time zone", Text: before.Zone.String() + " → " + after.Zone.String()}}
}
