// Package eventtime handles the times of events. It reads times from arguments and from
// Google's events, and describes them in words. Whole days are days of a zone. Package
// eventtime never guesses a time that clocks skip. It reads no clock and makes no requests.
// Start with [Span], [Of] and [Problems].
package eventtime

import (
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/internal/timeparse"
)

// A Span is the time that an event takes.
type Span struct {
	Start, End time.Time      // the end is exclusive
	Zone       *time.Location // the event's own zone
	AllDay     bool           // start and end are the beginnings of days in the zone
	Skipped    time.Time      // the requested start of a series if clocks skip it, else zero: see recurrence.Start
}

// Of returns when the event takes place. zone defines whole days, and applies to events
// that name no zone. Of reports false if the event has no readable start. For example,
// Google may give only the id of a deleted event.
func Of(e *calendarapi.Event, zone *time.Location) (Span, bool) {
	start, ok := momentOf(e.Start, zone)
	if !ok {
		return Span{}, false
	}
	if end, ok := momentOf(e.End, zone); ok && end.AllDay == start.AllDay && !end.Start.Before(start.Start) {
		start.End = end.Start
	}
	return start, true
}

// OriginalStart returns the start that the rule of the series gives the instance e. The
// span has no length, or is one whole day. OriginalStart reports false if e is not an
// instance.
func OriginalStart(e *calendarapi.Event, zone *time.Location) (Span, bool) {
	return momentOf(e.OriginalStartTime, zone)
}

// momentOf reads the start or the end of an event as a span of no length, or of one whole
// day.
func momentOf(at *calendarapi.EventDateTime, zone *time.Location) (Span, bool) {
	if at == nil {
		return Span{}, false
	}
	if at.DateTime != "" {
		t, err := time.Parse(time.RFC3339, at.DateTime)
		if err != nil {
			return Span{}, false
		}
		if own, err := timeparse.Zone(at.TimeZone); err == nil {
			zone = own
		}
		return Span{Start: t.In(zone), End: t.In(zone), Zone: zone}, true
	}
	day, err := time.Parse(time.DateOnly, at.Date)
	if err != nil {
		return Span{}, false
	}
	return Span{
		Start: timeparse.DayStart(timeparse.LocalTimeOf(day), zone), End: timeparse.DayStart(timeparse.LocalTimeOf(day.AddDate(0, 0, 1)), zone), Zone: zone, AllDay: true,
	}, true
}

// InZone returns a whole-day span as the same dates in another zone. It returns any other
// span unchanged, because moments do not depend on the zone.
func (s Span) InZone(zone *time.Location) Span {
	if s.AllDay {
		s.Start, s.End, s.Zone = timeparse.DayStart(timeparse.LocalTimeOf(s.Start), zone), timeparse.DayStart(timeparse.LocalTimeOf(s.End), zone), zone
	}
	return s
}

// Words describes the span in words, in the clock time of the zone: "Tue 2026-11-24
// 15:00–16:30 +01:00", "Tue 2026-11-24, all day".
func (s Span) Words(zone *time.Location) string {
	if s.AllDay {
		return timeparse.Days(s.Start, s.End)
	}
	return timeparse.Span(s.Start, s.End, zone)
}

// Length describes the length in words: "1h 30m", "2 days".
func (s Span) Length() string {
	if s.AllDay {
		return timeparse.Length(time.Duration(s.Days()) * 24 * time.Hour)
	}
	return timeparse.Length(s.End.Sub(s.Start))
}

// Days returns the number of days of a whole-day span, at least 1.
func (s Span) Days() int {
	first, last := timeparse.LocalTimeOf(s.Start), timeparse.LocalTimeOf(s.End)
	hours := last.Floating().Sub(first.Floating()).Hours()
	return max(1, int(hours+12)/24)
}

// Overlaps reports whether any part of the span lies in [from, to). An event without length
// overlaps if from <= start < to.
func (s Span) Overlaps(from, to time.Time) bool {
	if s.Start.Equal(s.End) {
		return !s.Start.Before(from) && s.Start.Before(to)
	}
	return s.Start.Before(to) && s.End.After(from)
}

// OwnZone returns the name of the event's zone if its clocks differ from those of the given
// zone at the start. Otherwise, and for whole days, it returns "".
func (s Span) OwnZone(zone *time.Location) string {
	if s.AllDay {
		return ""
	}
	_, ownOffset := s.Start.In(s.Zone).Zone()
	if _, offset := s.Start.In(zone).Zone(); ownOffset == offset {
		return ""
	}
	return s.Zone.String()
}

// Arguments returns the start and the end in the form that arguments take. The end of
// whole days is the last day.
func (s Span) Arguments(zone *time.Location) (start, end string) {
	if s.AllDay {
		return timeparse.Date(s.Start), timeparse.Date(DayAfter(s.Start, s.Days()-1, s.Zone))
	}
	return timeparse.RFC3339(s.Start.In(zone)), timeparse.RFC3339(s.End.In(zone))
}

// StartWords describes the start in words, in the zone of the event: "Tue 2026-11-24
// 15:00 +01:00".
func (s Span) StartWords() string {
	if s.AllDay {
		return timeparse.Days(s.Start, s.Start)
	}
	return timeparse.Span(s.Start, s.Start, s.Zone)
}

// OffsetIn returns the offset of the zone, in seconds, at the start of the span.
func (s Span) OffsetIn(zone *time.Location) int {
	_, offset := s.Start.In(zone).Zone()
	return offset
}
