package rrule

import "time"

const Day = 24 * time.Hour

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
//
// No clock is further than 26 hours from UTC, and none is set twice in the 52
// hours around a time.
func instantOf(wall time.Time, zone *time.Location) time.Time {
	_, before := wall.Add(-26 * time.Hour).In(zone).Zone()
	_, after := wall.Add(26 * time.Hour).In(zone).Zone()
	first := wall.Add(-time.Duration(before) * time.Second)
	second := wall.Add(-time.Duration(after) * time.Second)
	if !wallClock(first, zone).Equal(wall) && wallClock(second, zone).Equal(wall) {
		return second
	}
	return first
}
