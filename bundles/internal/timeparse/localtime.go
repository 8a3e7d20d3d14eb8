package timeparse

import (
	"fmt"
	"time"
)

// LocalTime is a local time without a zone: a date and time of the Gregorian
// calendar to the second. The zero LocalTime means absent.
type LocalTime struct {
	Year                 int
	Month                time.Month
	Day                  int
	Hour, Minute, Second int
}

// LocalTimeOf returns the local time of that moment in the zone of t.
func LocalTimeOf(t time.Time) LocalTime {
	return LocalTime{t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second()}
}

// Floating returns the local time as if it were in UTC: a form for computing,
// not a moment.
func (w LocalTime) Floating() time.Time {
	return time.Date(w.Year, w.Month, w.Day, w.Hour, w.Minute, w.Second, 0, time.UTC)
}

// String returns the local time as "2026-11-24 15:00", with seconds if they are
// not zero.
func (w LocalTime) String() string {
	text := fmt.Sprintf("%04d-%02d-%02d %02d:%02d", w.Year, w.Month, w.Day, w.Hour, w.Minute)
	if w.Second != 0 {
		text += fmt.Sprintf(":%02d", w.Second)
	}
	return text
}

// Resolution says when the clocks of a zone show a local time.
type Resolution struct {
	// Time is the moment that is meant (RFC 5545 section 3.3.5). It is the
	// first if there are two. If clocks skip the local time, Time is computed
	// with the offset before the gap.
	Time time.Time
	// Second is the later moment if clocks show the time twice, as when they
	// are put back. It is zero otherwise.
	Second time.Time
	// Before and After are set if clocks never show the time: the last second
	// before the gap, and the moment after it.
	Before, After time.Time
}

// IsAmbiguous reports whether clocks show the time a second time.
func (r Resolution) IsAmbiguous() bool { return !r.Second.IsZero() }

// IsSkipped reports whether clocks are put forward past the time.
func (r Resolution) IsSkipped() bool { return !r.After.IsZero() }

// maxDifference is more than the offset of any clock from UTC, in seconds. The
// moment of a local time is within that distance of the moment at which UTC
// clocks show it.
const maxDifference = 30 * 3600

// In returns when the clocks of the zone show the local time. It is exact for
// every change of every zone, whether half an hour, a whole day or some
// seconds.
func (w LocalTime) In(zone *time.Location) Resolution { return Resolve(w.Floating(), zone) }

// Resolve is [LocalTime.In] for a local time in the form of [LocalTime.Floating].
func Resolve(floating time.Time, zone *time.Location) Resolution {
	shown := floating.Unix()
	var r, gap Resolution
	for at := time.Unix(shown-maxDifference, 0).In(zone); ; {
		offset := offsetAt(at)
		candidate := time.Unix(shown-offset, 0).In(zone)
		switch {
		case offsetAt(candidate) != offset || candidate.Equal(r.Time):
		case r.Time.IsZero():
			r.Time = candidate
		case r.Second.IsZero():
			r.Second = candidate
		}
		end := offsetEnd(at)
		if end.IsZero() || end.Unix() > shown+maxDifference {
			break
		}
		if turn := end.Unix(); turn+offset <= shown && shown < turn+offsetAt(end) {
			gap = Resolution{Time: candidate, Before: end.Add(-time.Second), After: end}
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

// offsetEnd returns a moment before which the offset at t does not change, or a
// zero time if it never changes. On the last day of a leap year beyond a zone's
// listed changes, time.Time.ZoneBounds returns an end in the past.
func offsetEnd(t time.Time) time.Time {
	_, end := t.ZoneBounds()
	if !end.IsZero() && !end.After(t) {
		return t.Add(24 * time.Hour)
	}
	return end
}
