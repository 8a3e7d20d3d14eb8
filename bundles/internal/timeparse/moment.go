package timeparse

import (
	"fmt"
	"time"
)

// A Context is what a text without a zone or a date is read by.
type Context struct {
	Now  time.Time
	Zone *time.Location
}

// A Moment is what a text means.
type Moment struct {
	// Time is the moment, in Zone. A day, a week or a month is where it begins.
	Time time.Time
	// End is the first moment after the day, week or month that the text
	// names. For a time of day it is Time.
	End time.Time
	// Date reports that no time of day was given.
	Date bool
	// Again says how often what the text names comes round: it is the next one.
	Again Again
	// Zone is the zone that the text names, or else that of the context.
	Zone *time.Location
	// Second is the later of the two moments where the clocks show the time
	// twice and no offset says which is meant: Time is then the first of them
	// (RFC 5545 section 3.3.5). It is zero otherwise.
	Second time.Time
}

// Twice reports whether the clocks show the time twice on that day.
func (m Moment) Twice() bool { return !m.Second.IsZero() }

// A GapError says that clocks never show a time: they are put forward past it.
type GapError struct {
	Wall          Wall
	Zone          *time.Location
	Before, After time.Time // the last second before the gap and the moment after it, in Zone
}

func (e *GapError) Error() string {
	when := e.Wall.String()
	return fmt.Sprintf("%s does not exist in %s: the clock goes from %s to %s; give a time before or after that",
		when, e.Zone, e.Before.Format(time.DateTime), e.After.Format(time.DateTime+" -07:00"))
}

// A FormError says that a text is no time, or no length of time.
type FormError struct {
	Text string
	Why  string // what is wrong with it and what is accepted
}

func (e *FormError) Error() string { return brief(e.Text) + " " + e.Why }

// brief quotes a text so that it cannot break the line it stands in.
func brief(text string) string {
	const most = 40
	for i := range text {
		if i > most {
			text = text[:i] + "…"
			break
		}
	}
	return fmt.Sprintf("%+q", text)
}

// The years that are read. Others are slips of the pen, and a rule that runs
// for centuries helps nobody.
const (
	FirstYear = 1900
	LastYear  = 2200
)

// moment puts a reading into a zone.
func moment(w Wall, zone *time.Location) (Moment, error) {
	r := w.In(zone)
	if r.Never() {
		return Moment{}, &GapError{Wall: w, Zone: zone, Before: r.Before, After: r.After}
	}
	return Moment{Time: r.Time, End: r.Time, Second: r.Second, Zone: zone}, nil
}

// days puts some whole days into a zone, the first of them being that of w.
// It returns a [*GapError] when the zone has skipped that day.
func days(w Wall, n int, zone *time.Location) (Moment, error) {
	first := Wall{Year: w.Year, Month: w.Month, Day: w.Day}
	m := Moment{Time: DayStart(first, zone), Date: true, Zone: zone}
	if m.Time.Day() != first.Day {
		r := first.In(zone)
		return Moment{}, &GapError{Wall: first, Zone: zone, Before: r.Before, After: r.After}
	}
	m.End = DayStart(WallOf(first.Floating().AddDate(0, 0, n)), zone)
	return m, nil
}

// DayStart returns the first moment of the day of w in that zone: not midnight
// where the clocks are put forward past it. Of a day that the zone has skipped
// it returns the first moment after it.
func DayStart(w Wall, zone *time.Location) time.Time {
	r := Wall{Year: w.Year, Month: w.Month, Day: w.Day}.In(zone)
	if r.Never() {
		return r.After
	}
	return r.Time
}
