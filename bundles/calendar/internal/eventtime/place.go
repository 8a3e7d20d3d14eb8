package eventtime

import (
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/internal/recurrence"
	"kota/bundles/internal/timeparse"
)

// Place puts a time into the event: whole days as dates, of which Google's last
// is the day after, and any other with its offset and the zone that repeats of
// it keep to.
func (s Span) Place(e *calendarapi.Event) {
	if s.AllDay {
		e.Start = &calendarapi.EventDateTime{Date: timeparse.Date(s.Start)}
		e.End = &calendarapi.EventDateTime{Date: timeparse.Date(s.End)}
		return
	}
	e.Start = &calendarapi.EventDateTime{DateTime: timeparse.RFC3339(s.Start.In(s.Zone)), TimeZone: s.Zone.String()}
	e.End = &calendarapi.EventDateTime{DateTime: timeparse.RFC3339(s.End.In(s.Zone)), TimeZone: s.Zone.String()}
}

// Repeated returns the span at each of the starts.
func (s Span) Repeated(starts []time.Time) []Span {
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

// Starting returns the span of the same length that starts at another moment: of
// whole days as many days.
func (s Span) Starting(at time.Time) Span { return s.Repeated([]time.Time{at})[0] }

// DayAfter is where the day so many days after that of t begins in the zone.
func DayAfter(t time.Time, days int, zone *time.Location) time.Time {
	return timeparse.DayStart(timeparse.WallOf(timeparse.WallOf(t).Floating().AddDate(0, 0, days)), zone)
}

// WallClock is what clocks show at the start of a span, in its own zone, or would
// show if they did not skip it.
func WallClock(s Span) time.Time {
	if !s.Skipped.IsZero() {
		return s.Skipped
	}
	return timeparse.WallOf(s.Start.In(s.Zone)).Floating()
}

// SameStart reports whether a series that starts there has its instances where
// it had them.
func SameStart(a, b Span) bool {
	return a.AllDay == b.AllDay && WallClock(a).Equal(WallClock(b)) && (a.AllDay || a.Zone.String() == b.Zone.String())
}

// RuleStart returns the start of a series whose first event takes place then.
func RuleStart(s Span) recurrence.Start {
	return recurrence.Start{Time: s.Start, Zone: s.Zone, Date: s.AllDay, Skipped: s.Skipped}
}
