package timeparse

import (
	"fmt"
	"time"
)

// A Wall is what a clock on the wall shows, wherever that may be: a reading of
// the Gregorian calendar to the second. The zero Wall is no reading.
type Wall struct {
	Year                 int
	Month                time.Month
	Day                  int
	Hour, Minute, Second int
}

// WallOf returns what clocks show at that moment in the zone that t carries.
func WallOf(t time.Time) Wall {
	return Wall{t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second()}
}

// Floating returns the reading as if the clock stood in UTC: a form to count
// in, not a moment.
func (w Wall) Floating() time.Time {
	return time.Date(w.Year, w.Month, w.Day, w.Hour, w.Minute, w.Second, 0, time.UTC)
}

// String returns the reading as "2026-11-24 15:00", with seconds where there
// are any.
func (w Wall) String() string {
	text := fmt.Sprintf("%04d-%02d-%02d %02d:%02d", w.Year, w.Month, w.Day, w.Hour, w.Minute)
	if w.Second != 0 {
		text += fmt.Sprintf(":%02d", w.Second)
	}
	return text
}

// A Reading says when the clocks of a zone show a wall time.
type Reading struct {
	// Time is the moment that is meant (RFC 5545 section 3.3.5): the first
	// where there are two, and where there is none the one that a clock would
	// have shown as this had it not been put forward.
	Time time.Time
	// Second is the later moment where the time happens twice, as it does when
	// clocks are put back. It is zero otherwise.
	Second time.Time
	// Before and After are set where the time never happens: the last second
	// before the clocks are put forward past it, and the moment after that.
	Before, After time.Time
}

// Twice reports whether the clocks show the time again after an hour or so.
func (r Reading) Twice() bool { return !r.Second.IsZero() }

// Never reports whether the clocks are put forward past the time.
func (r Reading) Never() bool { return !r.After.IsZero() }

// widest is more than what two clocks on earth have ever been apart, in
// seconds: a reading belongs to a moment that is no farther from the same
// reading in UTC.
const widest = 30 * 3600

// In says when the clocks of the zone show that time. It is exact for every
// change of every zone, be it half an hour, a whole day or some seconds.
func (w Wall) In(zone *time.Location) Reading { return Place(w.Floating(), zone) }

// Place is [Wall.In] for a reading in the form that [Wall.Floating] returns.
func Place(floating time.Time, zone *time.Location) Reading {
	shown := floating.Unix()
	var r, gap Reading
	for at := time.Unix(shown-widest, 0).In(zone); ; {
		offset := offsetAt(at)
		candidate := time.Unix(shown-offset, 0).In(zone)
		switch {
		case offsetAt(candidate) != offset || candidate.Equal(r.Time):
		case r.Time.IsZero():
			r.Time = candidate
		case r.Second.IsZero():
			r.Second = candidate
		}
		end := endOf(at)
		if end.IsZero() || end.Unix() > shown+widest {
			break
		}
		if turn := end.Unix(); turn+offset <= shown && shown < turn+offsetAt(end) {
			gap = Reading{Time: candidate, Before: end.Add(-time.Second), After: end}
		}
		at = end
	}
	if r.Time.IsZero() {
		return gap
	}
	return r
}

func offsetAt(t time.Time) int64 {
	_, offset := t.Zone()
	return int64(offset)
}

// endOf returns a moment before which the offset that holds at t does not
// change, or none where it never does. In the last day of a leap year that
// lies beyond the changes listed for a zone, time.Time.ZoneBounds gives an end
// that has passed.
func endOf(t time.Time) time.Time {
	_, end := t.ZoneBounds()
	if !end.IsZero() && !end.After(t) {
		return t.Add(24 * time.Hour)
	}
	return end
}
