package timeparse

import (
	"fmt"
	"strings"
	"time"
)

// RFC3339 returns the moment to the second for APIs. A time whose offset is not
// in whole minutes, as before standard time, is returned in UTC. RFC 3339
// cannot express such an offset.
func RFC3339(t time.Time) string { return withExactOffset(t).Format(time.RFC3339) }

// Stamp is [RFC3339] without seconds if they are zero. [Parse] reads it.
func Stamp(t time.Time) string {
	t = withExactOffset(t)
	if t.Second() == 0 {
		return t.Format("2006-01-02T15:04Z07:00")
	}
	return t.Format(time.RFC3339)
}

func withExactOffset(t time.Time) time.Time {
	if _, offset := t.Zone(); offset%60 != 0 {
		return t.UTC()
	}
	return t
}

// Date returns the date of t in its zone, as "2026-11-24".
func Date(t time.Time) string { return t.Format(time.DateOnly) }

const (
	clock = "15:04"
	dated = "Mon 2006-01-02"
)

// Span formats a period in the zone, with the offset from UTC: "Tue 2026-11-24
// 15:00–16:30 +01:00", "Tue 2026-11-24 22:00 – Wed 2026-11-25 01:00 +01:00". If
// the offset changes in between, the text has both offsets. A single moment is
// written once. Seconds are left out.
func Span(start, end time.Time, zone *time.Location) string {
	start, end = start.In(zone), end.In(zone)
	first, last := offset(start), offset(end)
	var from, to string
	switch {
	case start.Equal(end):
		return start.Format(dated+" "+clock) + " " + first
	case Date(start) == Date(end):
		from, to = start.Format(dated+" "+clock), end.Format(clock)
	default:
		from, to = start.Format(dated+" "+clock), end.Format(dated+" "+clock)
	}
	if first != last {
		return from + " " + first + " – " + to + " " + last
	}
	if Date(start) == Date(end) {
		return from + "–" + to + " " + last
	}
	return from + " – " + to + " " + last
}

// offset returns the offset from UTC as "+01:00", with seconds if they are not
// zero.
func offset(t time.Time) string {
	if _, seconds := t.Zone(); seconds%60 != 0 {
		return t.Format("-07:00:00")
	}
	return t.Format("-07:00")
}

// Days formats whole days; end is the day after the last: "Tue 2026-11-24, all
// day", "Tue 2026-11-24 – Thu 2026-11-26, all day". The dates are those of
// start and end, each in its own zone.
func Days(start, end time.Time) string {
	last := LocalTimeOf(end).Floating().AddDate(0, 0, -1)
	if Date(last) <= Date(start) {
		return start.Format(dated) + ", all day"
	}
	return start.Format(dated) + " – " + last.Format(dated) + ", all day"
}

// Length formats a duration: "45m", "1h 30m", "3 days", "1 day 2h".
func Length(d time.Duration) string {
	if d < 0 {
		return "-" + Length(-d)
	}
	var parts []string
	switch days := d / day; {
	case days == 1:
		parts = append(parts, "1 day")
	case days > 1:
		parts = append(parts, fmt.Sprintf("%d days", days))
	}
	for _, part := range []struct {
		rest, unit time.Duration
		letter     string
	}{{d % day, time.Hour, "h"}, {d % time.Hour, time.Minute, "m"}, {d % time.Minute, time.Second, "s"}} {
		if n := part.rest / part.unit; n > 0 {
			parts = append(parts, fmt.Sprintf("%d%s", n, part.letter))
		}
	}
	if len(parts) == 0 {
		return "0m"
	}
	return strings.Join(parts, " ")
}
