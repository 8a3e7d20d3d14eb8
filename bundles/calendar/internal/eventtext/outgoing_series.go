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

// SeriesPartLabel is the name of the line that says which part of a series an action
// changes. The part is one instance, an instance and all later ones, or the whole series.
const SeriesPartLabel = "Which"

// seriesPartLines returns the line named SeriesPartLabel for an event, or nil if the event
// is not part of a series.
func seriesPartLines(e *calendarapi.Event, zone *time.Location) []bundles.Line {
	switch {
	case len(e.Recurrence) > 0:
		return []bundles.Line{{Name: SeriesPartLabel, Text: "the whole series, " + DescribeRecurrence(e.Recurrence, e, zone)}}
	case e.RecurringEventId != "":
		return []bundles.Line{{Name: SeriesPartLabel, Text: "this event of a series"}}
	}
	return nil
}

// FollowingLine returns the line named SeriesPartLabel for the instance and all later ones.
func FollowingLine(instance, series *calendarapi.Event, zone *time.Location) bundles.Line {
	return bundles.Line{Name: SeriesPartLabel, Text: "this and all later events, from " + whenWithOwnZone(instance, zone) + " on, of the series that repeats " + DescribeRecurrence(series.Recurrence, series, zone)}
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

// whenWithOwnZone describes the time of an event in the zone. It adds the event's own zone
// if that differs, because a series keeps the clock time of its own zone.
func whenWithOwnZone(e *calendarapi.Event, zone *time.Location) string {
	s, ok := eventtime.Of(e, zone)
	text := event.When(e, zone)
	if !ok || s.AllDay || s.Zone.String() == zone.String() {
		return text
	}
	if ownWords := s.Words(s.Zone); ownWords != text {
		return text + " (" + ownWords + ", " + s.Zone.String() + ")"
	}
	return text + " (" + s.Zone.String() + ")"
}

// zoneChangeLines returns one line with the old and the new zone of an event. It returns
// nil if the zone stays the same, or if either version has whole days.
func zoneChangeLines(was, is *calendarapi.Event, zone *time.Location) []bundles.Line {
	before, ok := eventtime.Of(was, zone)
	after, known := eventtime.Of(is, zone)
	if !ok || !known || before.AllDay || after.AllDay || before.Zone.String() == after.Zone.String() {
		return nil
	}
	return []bundles.Line{{Name: NewField + "time zone", Text: before.Zone.String() + " → " + after.Zone.String()}}
}
