package calendar

import (
	"time"

	calendarapi "google.golang.org/api/calendar/v3"

	"kota/bundles/internal/recurrence"
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

// ends are start and end as arguments take them.
func (s span) ends(zone *time.Location) (start, end string) {
	if s.allDay {
		return timeparse.Date(s.start), timeparse.Date(dayAfter(s.start, s.days()-1, s.zone))
	}
	return timeparse.RFC3339(s.start.In(zone)), timeparse.RFC3339(s.end.In(zone))
}

// begins says when a span begins: "Tue 2026-11-24 15:00 +01:00".
func (s span) begins() string {
	if s.allDay {
		return timeparse.Days(s.start, s.start)
	}
	return timeparse.Span(s.start, s.start, s.zone)
}

// repeated returns the span at each of the starts.
func (s span) repeated(starts []time.Time) []span {
	spans := make([]span, 0, len(starts))
	for _, start := range starts {
		one := span{start: start, end: start.Add(s.end.Sub(s.start)), zone: s.zone, allDay: s.allDay}
		if s.allDay {
			one.end = dayAfter(start.In(s.zone), s.days(), s.zone)
		}
		spans = append(spans, one)
	}
	return spans
}

// starting returns the span of the same length that starts at another moment: of
// whole days as many days.
func (s span) starting(at time.Time) span { return s.repeated([]time.Time{at})[0] }

// zoneShows is the offset of the zone when the span starts.
func (s span) zoneShows(zone *time.Location) int {
	_, offset := s.start.In(zone).Zone()
	return offset
}

// place puts a time into the event: whole days as dates, of which Google's last
// is the day after, and any other with its offset and the zone that repeats of
// it keep to.
func (s span) place(e *calendarapi.Event) {
	if s.allDay {
		e.Start = &calendarapi.EventDateTime{Date: timeparse.Date(s.start)}
		e.End = &calendarapi.EventDateTime{Date: timeparse.Date(s.end)}
		return
	}
	e.Start = &calendarapi.EventDateTime{DateTime: timeparse.RFC3339(s.start.In(s.zone)), TimeZone: s.zone.String()}
	e.End = &calendarapi.EventDateTime{DateTime: timeparse.RFC3339(s.end.In(s.zone)), TimeZone: s.zone.String()}
}

// dayAfter is where the day so many days after that of t begins in the zone.
func dayAfter(t time.Time, days int, zone *time.Location) time.Time {
	return timeparse.DayStart(timeparse.WallOf(timeparse.WallOf(t).Floating().AddDate(0, 0, days)), zone)
}

// wallOf is what clocks show at the start of a span, in its own zone, or would
// show if they did not skip it.
func wallOf(s span) time.Time {
	if !s.skipped.IsZero() {
		return s.skipped
	}
	return timeparse.WallOf(s.start.In(s.zone)).Floating()
}

// sameStart reports whether a series that starts there has its instances where
// it had them.
func sameStart(a, b span) bool {
	return a.allDay == b.allDay && wallOf(a).Equal(wallOf(b)) && (a.allDay || a.zone.String() == b.zone.String())
}

func startOf(s span) recurrence.Start {
	return recurrence.Start{Time: s.start, Zone: s.zone, Date: s.allDay, Skipped: s.skipped}
}
