// Package days says which day something belongs to, and which days words name.
// The same words name the same days in every action of the bundle.
//
// Clock is where to start: it tells the day that it is for the tenant, which can
// start hours after midnight. Problems reads the arguments of a call and collects
// what is wrong with them; Choose places an entry on a day. A Period is what a plan
// or a review is of. Civil dates are strings such as "2026-11-20".
package days

import (
	"fmt"
	"time"

	"kota/bundles/internal/timeparse"
)

// A Clock tells a tenant's time.
type Clock struct {
	Now       func() time.Time
	Zone      func() *time.Location // where the user is; its name is IANA's
	DayStarts func() time.Duration  // after midnight, 0 to 12 hours: what happens before belongs to the day before
}

// DayOf returns the day to which a moment belongs on the clocks of its zone: the
// date that they show, or the one before while the day has not started.
func (c Clock) DayOf(moment time.Time) (date string, why string) {
	wall := timeparse.WallOf(moment)
	began := wall.Floating().Add(-c.DayStarts())
	date = began.Format(time.DateOnly)
	if date != wall.Floating().Format(time.DateOnly) {
		why = fmt.Sprintf("%s, the day starts at %s", moment.Format("15:04"), clock(c.DayStarts()))
	}
	return date, why
}

// clock is a time of day: "04:00".
func clock(sinceMidnight time.Duration) string {
	return time.Time{}.Add(sinceMidnight).Format("15:04")
}

// InWords says a date as people do: "Friday 20 November 2026".
func InWords(date string) string {
	return Midnight(date).Format("Monday 2 January 2006")
}

// Midnight is the midnight with which a date begins, on a clock that stands in
// UTC: a form to count in. Dates that come here have been read already.
func Midnight(date string) time.Time {
	day, _ := time.Parse(time.DateOnly, date)
	return day
}

// AddDays is the date that many days after another.
func AddDays(date string, days int) string {
	return Midnight(date).AddDate(0, 0, days).Format(time.DateOnly)
}

// A Present is the moment of a call on the clocks of a zone.
type Present struct {
	Clock
	Moment time.Time // in the zone
	Date   string    // the day that now belongs to
	why    string    // it is not the date that clocks show
}

// At reads the clock in a zone.
func (c Clock) At(zone *time.Location) Present {
	now := c.Now().In(zone)
	today, why := c.DayOf(now)
	return Present{Clock: c, Moment: now, Date: today, why: why}
}

// Today is the day that the user's clocks are on.
func (c Clock) Today() Period {
	day, _ := Named(c.At(c.Zone()).Date)
	return day
}

// LastOf is the day on which a period is looked at: its last one, or today
// while it lasts.
func (c Clock) LastOf(p Period) string {
	today := c.Today()
	if today.From() >= p.From() && today.From() <= p.To() {
		return today.From()
	}
	return p.To()
}

// tomorrow is the day after today.
func (c Present) tomorrow() string { return AddDays(c.Date, 1) }
