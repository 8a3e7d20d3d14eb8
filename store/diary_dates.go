package store

import (
	"fmt"
	"time"
)

// Dates are civil: they know of no zone, and a day of them is a day whatever
// clocks do on it. Those that come here have been checked.

func dayOf(date string) time.Time {
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		panic("store: " + err.Error()) // checkDate has let it through
	}
	return day
}

// daysBetween is how many days after from to is.
func daysBetween(from, to string) int { return int((dayOf(to).Unix() - dayOf(from).Unix()) / 86400) }

// daysAfter is the date that many days after another, or before it.
func daysAfter(date string, days int) string {
	return dayOf(date).AddDate(0, 0, days).Format(time.DateOnly)
}

// WeekOf is the week of ISO 8601 that a date is in: "2026-W47".
func WeekOf(date string) string {
	year, week := dayOf(date).ISOWeek()
	return fmt.Sprintf("%04d-W%02d", year, week)
}
