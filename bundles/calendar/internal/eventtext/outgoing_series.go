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

// Which names the line that says how much of a series something is about.
const Which = "Which"

// whichOf is the line of an event by itself: none for one that does not repeat.
func whichOf(e *calendarapi.Event, zone *time.Location) []bundles.Line {
	switch {
	case len(e.Recurrence) > 0:
		return []bundles.Line{{Name: Which, Text: "the whole series, " + Repeating(e.Recurrence, e, zone)}}
	case e.RecurringEventId != "":
		return []bundles.Line{{Name: Which, Text: "this one of a series"}}
	}
	return nil
}

// WhichFollow is the line of one of a series and all after it.
func WhichFollow(one, series *calendarapi.Event, zone *time.Location) bundles.Line {
	return bundles.Line{Name: Which, Text: "this and all that follow, from " + whenThere(one, zone) + " on, of the series " + Repeating(series.Recurrence, series, zone)}
}

// Repeating says a recurrence of an event in words, and that it has no end.
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

// whenThere says when an event is in the zone, and on its own zone's clocks where they
// differ, which a series keeps to.
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

// changedZone is the line of a change of the time zone that an event keeps to:
// none where it keeps to the same, or has whole days before or after.
func changedZone(was, is *calendarapi.Event, zone *time.Location) []bundles.Line {
	before, ok := eventtime.Of(was, zone)
	after, known := eventtime.Of(is, zone)
	if !ok || !known || before.AllDay || after.AllDay || before.Zone.String() == after.Zone.String() {
		return nil
	}
	return []bundles.Line{{Name: NewField + "time zone", Text: before.Zone.String() + " → " + after.Zone.String()}}
}
