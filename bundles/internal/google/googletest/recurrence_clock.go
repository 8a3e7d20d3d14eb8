package googletest

import "time"

const day = 24 * time.Hour

// wallClock is what the clock shows in the zone at the time, as a time of UTC.
func wallClock(at time.Time, zone *time.Location) time.Time {
	at = at.In(zone)
	return time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), 0, time.UTC)
}

func midnight(wall time.Time) time.Time {
	return time.Date(wall.Year(), wall.Month(), wall.Day(), 0, 0, 0, 0, time.UTC)
}

// instantOf is when the wall clock in the zone shows the time: the first of two
// when it is set back over it, and the time read with the offset before the gap
// when it is set forward over it (RFC 5545 3.3.5).
func instantOf(wall time.Time, zone *time.Location) time.Time {
	// No offset is as large as two days: the time is in one of the spans of
	// constant offset from here on, or in a gap between two of them.
	at := wall.Add(-2 * day).In(zone)
	_, before := at.Zone()
	for {
		_, offset := at.Zone()
		from, to := at.ZoneBounds()
		candidate := wall.Add(-time.Duration(offset) * time.Second)
		switch {
		case !from.IsZero() && candidate.Before(from):
			return wall.Add(-time.Duration(before) * time.Second)
		case to.IsZero() || candidate.Before(to):
			return candidate
		}
		at, before = to, offset
	}
}
