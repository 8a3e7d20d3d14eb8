package daily

import (
	"fmt"
	"time"

	"kota/bundles/internal/zoned"
)

// dayOf returns the day to which a moment belongs on the clocks of its zone: the
// date that they show, or the one before while the day has not started.
func (d *daily) dayOf(moment time.Time) (date string, why string) {
	wall := zoned.WallOf(moment)
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
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return date
	}
	return day.Format("Monday 2 January 2006")
}
