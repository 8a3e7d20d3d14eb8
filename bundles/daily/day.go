package daily

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

// dayOf returns the day to which a moment belongs on the clocks of its zone: the
// date that they show, or the one before while the day has not started.
func (c Clock) dayOf(moment time.Time) (date string, why string) {
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

// weekday says a date as people do: "Friday 20 November 2026".
func weekday(date string) string {
	return floating(date).Format("Monday 2 January 2006")
}

// floating is the midnight with which a date begins, on a clock that stands in
// UTC: a form to count in. Dates that come here have been read already.
func floating(date string) time.Time {
	day, _ := time.Parse(time.DateOnly, date)
	return day
}

// later is the date that many days after another.
func later(date string, days int) string {
	return floating(date).AddDate(0, 0, days).Format(time.DateOnly)
}

// A present is the moment of a call on the clocks of a zone.
type present struct {
	Clock
	now   time.Time // in the zone
	today string    // the day that now belongs to
	why   string    // it is not the date that clocks show
}

// at reads the clock in a zone.
func (c Clock) at(zone *time.Location) present {
	now := c.Now().In(zone)
	today, why := c.dayOf(now)
	return present{Clock: c, now: now, today: today, why: why}
}

// today is the day that the user's clocks are on.
func (c Clock) today() period {
	day, _ := named(c.at(c.Zone()).today)
	return day
}

// lastOf is the day on which a period is looked at: its last one, or today
// while it lasts.
func (c Clock) lastOf(p period) string {
	today := c.today()
	if today.from() >= p.from() && today.from() <= p.to() {
		return today.from()
	}
	return p.to()
}

// tomorrow is the day after today.
func (c present) tomorrow() string { return later(c.today, 1) }
