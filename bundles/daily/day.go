package daily

import (
	"fmt"
	"time"

	"kota/bundles/internal/timeparse"
)

// dayOf returns the day to which a moment belongs on the clocks of its zone: the
// date that they show, or the one before while the day has not started.
func (d *daily) dayOf(moment time.Time) (date string, why string) {
	wall := timeparse.WallOf(moment)
	began := wall.Floating().Add(-d.DayStarts())
	date = began.Format(time.DateOnly)
	if date != wall.Floating().Format(time.DateOnly) {
		why = fmt.Sprintf("%s, the day starts at %s", moment.Format("15:04"), clock(d.DayStarts()))
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

// A clocks is how the clocks of a zone stand when a call is made.
type clocks struct {
	*daily
	now   time.Time // in the zone
	today string    // the day that now belongs to
	why   string    // it is not the date that clocks show
}

func (d *daily) clocks(zone *time.Location) clocks {
	c := clocks{daily: d, now: d.Now().In(zone)}
	c.today, c.why = d.dayOf(c.now)
	return c
}

// tomorrow is the day after today.
func (c clocks) tomorrow() string { return later(c.today, 1) }
