package eventtime

import (
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/internal/recurrence"
	"kota/bundles/internal/timeparse"
)

// ApplyTo writes the span into the event. Whole days become dates; Google's end date is
// the day after the last. Any other span becomes two times with their offset, and the
// zone that a recurrence follows.
func (s Span) ApplyTo(e *calendarapi.Event) {
	if s.AllDay {
		e.Start = &calendarapi.EventDateTime{Date: timeparse.Date(s.Start)}
		e.End = &calendarapi.EventDateTime{Date: timeparse.Date(s.End)}
		return
	}
	e.Start = &calendarapi.EventDateTime{DateTime: timeparse.RFC3339(s.Start.In(s.Zone)), TimeZone: s.Zone.String()}
	e.End = &calendarapi.EventDateTime{DateTime: timeparse.RFC3339(s.End.In(s.Zone)), TimeZone: s.Zone.String()}
}

// RepeatedAt returns one span per start, each with the length of s. Whole days keep their
// number of days.
func (s Span) RepeatedAt(starts []time.Time) []Span {
	spans := make([]Span, 0, len(starts))
	for _, start := range starts {
		one := Span{Start: start, End: start.Add(s.End.Sub(s.Start)), Zone: s.Zone, AllDay: s.AllDay}
		if s.AllDay {
			one.End = DayAfter(start.In(s.Zone), s.Days(), s.Zone)
		}
		spans = append(spans, one)
	}
	return spans
}

// StartingAt returns the span moved to another start, with the same length. Whole days keep
// their number of days.
func (s Span) StartingAt(at time.Time) Span { return s.RepeatedAt([]time.Time{at})[0] }

// DayAfter returns the start of a day in the zone. The day is the given number of days
// after the day of t.
func DayAfter(t time.Time, days int, zone *time.Location) time.Time {
	return timeparse.DayStart(timeparse.LocalTimeOf(timeparse.LocalTimeOf(t).Floating().AddDate(0, 0, days)), zone)
}

// WallClock returns the clock time at the start of a span, in its own zone. If clocks
// skip the requested start, WallClock returns the skipped time.
func WallClock(s Span) time.Time {
	if !s.Skipped.IsZero() {
		return s.Skipped
	}
	return timeparse.LocalTimeOf(s.Start.In(s.Zone)).Floating()
}

// SameStart reports whether two starts give a series the same instances.
func SameStart(a, b Span) bool {
	return a.AllDay == b.AllDay && WallClock(a).Equal(WallClock(b)) && (a.AllDay || a.Zone.String() == b.Zone.String())
}

// RuleStart returns the start of a series whose first event is the span.
func RuleStart(s Span) recurrence.Start {
	return recurrence.Start{Time: s.Start, Zone: s.Zone, Date: s.AllDay, Skipped: s.Skipped}
}
