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

// WhichLine is the name of the line that names the part of a series: one instance, an
// instance and all after it, or the whole series.
const WhichLine = "Which"

// whichLines returns the WhichLine of an event, or nil if the event does not repeat.
func whichLines(e *calendarapi.Event, zone *time.Location) []bundles.Line {
	switch {
	case len(e.Recurrence) > 0:
		return []bundles.Line{{Name: WhichLine, Text: "the whole series, " + DescribeRecurrence(e.Recurrence, e, zone)}}
	case e.RecurringEventId != "":
		return []bundles.Line{{Name: WhichLine, Text: "this event of a series"}}
	}
	return nil
}

// FollowingLine returns the WhichLine of an instance and all after it.
func FollowingLine(one, series *calendarapi.Event, zone *time.Location) bundles.Line {
	return bundles.Line{Name: WhichLine, Text: "this and all later events, from " + whenInZone(one, zone) + " on, of the series " + DescribeRecurrence(series.Recurrence, series, zone)}
}

// DescribeRecurrence describes the recurrence of an event in words. It adds "without end"
// if the recurrence never ends.
func DescribeRecurrence(lines []string, e *calendarapi.Event, zone *time.Location) string {
	s, _ := eventtime.Of(e, zone)
	text := DescribeRule(lines, s)
	if slices.ContainsFunc(lines, isEndless) {
		text += ", without end"
	}
	return text
}

// isEndless reports whether a line is a rule that never ends.
func isEndless(line string) bool {
	line = strings.ToUpper(line)
	return strings.HasPrefix(line, "RRULE") && !HasPart(line, "COUNT", "UNTIL")
}

// whenInZone describes the time of an event in the zone. It adds the event's own zone if
// that differs, because a series follows the clocks of its own zone.
func whenInZone(e *calendarapi.Event, zone *time.Location) string {
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

// zoneChangeLine returns a line with the old and the new zone of an event. It returns nil
// if the zone stays the same, or if either version has whole days.
func zoneChangeLine(was, is *calendarapi.Event, zone *time.Location) []bundles.Line {
	before, ok := eventtime.Of(was, zone)
	after, known := eventtime.Of(is, zone)
	if !ok || !known || before.AllDay || after.AllDay || before.Zone.String() == after.Zone.String() {
		return nil
	}
	return []bundles.Line{{Name: NewField + "time zone", Text: before.Zone.String() + " → " + after.Zone.String()}}
}
