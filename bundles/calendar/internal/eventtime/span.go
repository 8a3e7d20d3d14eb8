// Package eventtime is when events take place: it reads that from arguments and
// from Google's events, and says it in words. Whole days are days of a zone, and
// no time is guessed that clocks skip. Everything is a pure function of its
// arguments. Start with [Span], [Of] and [Problems].
package eventtime

import (
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/internal/timeparse"
)

// A Span is when an event takes place.
type Span struct {
	Start, End time.Time      // the end is the first moment after it
	Zone       *time.Location // the event's own
	AllDay     bool           // start and end are where days begin in the zone
	Skipped    time.Time      // see recurrence.Start: the first of a series is asked for at a time that clocks skip
}

// Of returns when the event takes place. Whole days are days of the zone
// given, which is that of the calendar; so is the zone of an event that names
// none. It reports false for an event without a time that can be read: of a
// deleted one Google may give the id alone.
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

// OriginalStart returns where an instance stands by the rule of its series. Its end
// is that of its first moment.
func OriginalStart(e *calendarapi.Event, zone *time.Location) (Span, bool) {
	return momentOf(e.OriginalStartTime, zone)
}

// momentOf reads one side of an event as a span of no length, or of one day.
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
		Start: timeparse.DayStart(timeparse.WallOf(day), zone), End: timeparse.DayStart(timeparse.WallOf(day.AddDate(0, 0, 1)), zone), Zone: zone, AllDay: true,
	}, true
}

// Moved returns the span of whole days as the same days of another zone; any
// other span is a moment in every zone.
func (s Span) Moved(zone *time.Location) Span {
	if s.AllDay {
		s.Start, s.End, s.Zone = timeparse.DayStart(timeparse.WallOf(s.Start), zone), timeparse.DayStart(timeparse.WallOf(s.End), zone), zone
	}
	return s
}

// Words says when it is, on the clocks of the zone: "Tue 2026-11-24 15:00–16:30
// +01:00", "Tue 2026-11-24, all day".
func (s Span) Words(zone *time.Location) string {
	if s.AllDay {
		return timeparse.Days(s.Start, s.End)
	}
	return timeparse.Span(s.Start, s.End, zone)
}

// Length says how long it takes: "1h 30m", "2 days".
func (s Span) Length() string {
	if s.AllDay {
		return timeparse.Length(time.Duration(s.Days()) * 24 * time.Hour)
	}
	return timeparse.Length(s.End.Sub(s.Start))
}

// Days is how many days a span of whole ones has: one at least.
func (s Span) Days() int {
	first, last := timeparse.WallOf(s.Start), timeparse.WallOf(s.End)
	hours := last.Floating().Sub(first.Floating()).Hours()
	return max(1, int(hours+12)/24)
}

// Overlaps reports whether any of it lies between the two moments. What takes
// no time does so when it is not the second one.
func (s Span) Overlaps(from, to time.Time) bool {
	if s.Start.Equal(s.End) {
		return !s.Start.Before(from) && s.Start.Before(to)
	}
	return s.Start.Before(to) && s.End.After(from)
}

// Foreign returns the name of the event's zone when its clocks show another
// time than those of the zone given, else "".
func (s Span) Foreign(zone *time.Location) string {
	if s.AllDay {
		return ""
	}
	_, own := s.Start.In(s.Zone).Zone()
	if _, theirs := s.Start.In(zone).Zone(); own == theirs {
		return ""
	}
	return s.Zone.String()
}

// Ends are start and end as arguments take them.
func (s Span) Ends(zone *time.Location) (start, end string) {
	if s.AllDay {
		return timeparse.Date(s.Start), timeparse.Date(DayAfter(s.Start, s.Days()-1, s.Zone))
	}
	return timeparse.RFC3339(s.Start.In(zone)), timeparse.RFC3339(s.End.In(zone))
}

// Begins says when a span begins: "Tue 2026-11-24 15:00 +01:00".
func (s Span) Begins() string {
	if s.AllDay {
		return timeparse.Days(s.Start, s.Start)
	}
	return timeparse.Span(s.Start, s.Start, s.Zone)
}

// ZoneShows is the offset of the zone when the span starts.
func (s Span) ZoneShows(zone *time.Location) int {
	_, offset := s.Start.In(zone).Zone()
	return offset
}
