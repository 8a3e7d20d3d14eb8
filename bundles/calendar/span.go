package calendar

import (
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/internal/timeparse"
)

// A span is when an event takes place.
type span struct {
	start, end time.Time      // the end is the first moment after it
	zone       *time.Location // the event's own
	allDay     bool           // start and end are where days begin in the zone
	skipped    time.Time      // see recur.Start: the first of a series is asked for at a time that clocks skip
}

// spanOf returns when the event takes place. Whole days are days of the zone
// given, which is that of the calendar; so is the zone of an event that names
// none. It reports false for an event without a time that can be read: of a
// deleted one Google may give the id alone.
func spanOf(e *calendarapi.Event, zone *time.Location) (span, bool) {
	start, ok := momentOf(e.Start, zone)
	if !ok {
		return span{}, false
	}
	if end, ok := momentOf(e.End, zone); ok && end.allDay == start.allDay && !end.start.Before(start.start) {
		start.end = end.start
	}
	return start, true
}

// originOf is spanOf for where an instance stands by the rule of its series. Its
// end is that of its first moment.
func originOf(e *calendarapi.Event, zone *time.Location) (span, bool) {
	return momentOf(e.OriginalStartTime, zone)
}

// momentOf reads one side of an event as a span of no length, or of one day.
func momentOf(at *calendarapi.EventDateTime, zone *time.Location) (span, bool) {
	if at == nil {
		return span{}, false
	}
	if at.DateTime != "" {
		t, err := time.Parse(time.RFC3339, at.DateTime)
		if err != nil {
			return span{}, false
		}
		if own, err := timeparse.Zone(at.TimeZone); err == nil {
			zone = own
		}
		return span{start: t.In(zone), end: t.In(zone), zone: zone}, true
	}
	day, err := time.Parse(time.DateOnly, at.Date)
	if err != nil {
		return span{}, false
	}
	return span{
		start: timeparse.DayStart(timeparse.WallOf(day), zone), end: timeparse.DayStart(timeparse.WallOf(day.AddDate(0, 0, 1)), zone), zone: zone, allDay: true,
	}, true
}

// moved returns the span of whole days as the same days of another zone; any
// other span is a moment in every zone.
func (s span) moved(zone *time.Location) span {
	if s.allDay {
		s.start, s.end, s.zone = timeparse.DayStart(timeparse.WallOf(s.start), zone), timeparse.DayStart(timeparse.WallOf(s.end), zone), zone
	}
	return s
}

// words says when it is, on the clocks of the zone: "Tue 2026-11-24 15:00–16:30
// +01:00", "Tue 2026-11-24, all day".
func (s span) words(zone *time.Location) string {
	if s.allDay {
		return timeparse.Days(s.start, s.end)
	}
	return timeparse.Span(s.start, s.end, zone)
}

// length says how long it takes: "1h 30m", "2 days".
func (s span) length() string {
	if s.allDay {
		return timeparse.Length(time.Duration(s.days()) * 24 * time.Hour)
	}
	return timeparse.Length(s.end.Sub(s.start))
}

// days is how many days a span of whole ones has: one at least.
func (s span) days() int {
	first, last := timeparse.WallOf(s.start), timeparse.WallOf(s.end)
	hours := last.Floating().Sub(first.Floating()).Hours()
	return max(1, int(hours+12)/24)
}

// overlaps reports whether any of it lies between the two moments. What takes
// no time does so when it is not the second one.
func (s span) overlaps(from, to time.Time) bool {
	if s.start.Equal(s.end) {
		return !s.start.Before(from) && s.start.Before(to)
	}
	return s.start.Before(to) && s.end.After(from)
}

// foreign returns the name of the event's zone when its clocks show another
// time than those of the zone given, else "".
func (s span) foreign(zone *time.Location) string {
	if s.allDay {
		return ""
	}
	_, own := s.start.In(s.zone).Zone()
	if _, theirs := s.start.In(zone).Zone(); own == theirs {
		return ""
	}
	return s.zone.String()
}
