package store

import (
	"fmt"
	"time"
)

// Dates are civil: they have no time zone, and clock changes do not affect them. The functions
// below panic for a text that is not a date.

func parseDate(date string) time.Time {
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		panic("store: " + err.Error()) // callers check dates with CheckDate before
	}
	return day
}

// daysBetween returns how many days the second date is after the first. The result is negative
// if the second date is the earlier one.
func daysBetween(from, to string) int {
	return int((parseDate(to).Unix() - parseDate(from).Unix()) / 86400)
}

// daysAfter adds a number of days to a date. The number may be negative.
func daysAfter(date string, days int) string {
	return parseDate(date).AddDate(0, 0, days).Format(time.DateOnly)
}

// WeekOf returns the ISO 8601 week of a date: "2026-W47".
func WeekOf(date string) string {
	year, week := parseDate(date).ISOWeek()
	return fmt.Sprintf("%04d-W%02d", year, week)
}
