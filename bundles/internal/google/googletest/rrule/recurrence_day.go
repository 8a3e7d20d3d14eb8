package rrule

import (
	"slices"
	"time"
)

// takes reports whether the rule takes the day: every BY part does, and where
// none says which day of the period it is, it is the one that DTSTART is in its
// own (RFC 5545 3.3.10, "derived from the Start Time").
func (r *rrule) takes(today time.Time) bool {
	return r.takesMonth(today) && r.takesWeek(today) && r.takesYearDay(today) &&
		r.takesMonthDay(today) && r.takesWeekday(today) && r.isLikeStart(today)
}

func (r *rrule) isLikeStart(today time.Time) bool {
	start := r.start.Wall
	switch {
	case r.freq == "DAILY" || len(r.byDay) > 0:
		return true
	case r.freq == "WEEKLY" || len(r.byWeekNo) > 0 && len(r.byMonthDay)+len(r.byYearDay) == 0:
		return today.Weekday() == start.Weekday()
	case len(r.byMonthDay)+len(r.byYearDay) > 0:
		return true
	case r.freq == "MONTHLY" || len(r.byMonth) > 0:
		return today.Day() == start.Day()
	}
	return today.Day() == start.Day() && today.Month() == start.Month()
}

func (r *rrule) takesMonth(today time.Time) bool {
	return len(r.byMonth) == 0 || slices.Contains(r.byMonth, int(today.Month()))
}

func (r *rrule) takesWeek(today time.Time) bool {
	if len(r.byWeekNo) == 0 {
		return true
	}
	year, number := r.week(today)
	// 28 December is in the last week of its year, as 4 January is in the first.
	_, last := r.week(time.Date(year, 12, 28, 0, 0, 0, 0, time.UTC))
	return isNumbered(r.byWeekNo, number, last)
}

func (r *rrule) takesYearDay(today time.Time) bool {
	return len(r.byYearDay) == 0 || isNumbered(r.byYearDay, today.YearDay(), daysOfYear(today))
}

func (r *rrule) takesMonthDay(today time.Time) bool {
	return len(r.byMonthDay) == 0 || isNumbered(r.byMonthDay, today.Day(), daysOfMonth(today))
}

// takesWeekday counts weekdays in the month, or in the year when the rule is
// yearly and names no months.
func (r *rrule) takesWeekday(today time.Time) bool {
	if len(r.byDay) == 0 {
		return true
	}
	place, days := today.Day(), daysOfMonth(today)
	if r.freq == "YEARLY" && len(r.byMonth) == 0 {
		place, days = today.YearDay(), daysOfYear(today)
	}
	fromStart, fromEnd := (place-1)/7+1, -((days-place)/7 + 1)
	return slices.ContainsFunc(r.byDay, func(w weekdayNum) bool {
		return w.day == today.Weekday() && (w.n == 0 || w.n == fromStart || w.n == fromEnd)
	})
}

// isNumbered reports whether the n-th of so many is wanted, counted from either end.
func isNumbered(wanted []int, n, of int) bool {
	return slices.Contains(wanted, n) || slices.Contains(wanted, n-of-1)
}

func daysOfMonth(today time.Time) int {
	return time.Date(today.Year(), today.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

func daysOfYear(today time.Time) int {
	return time.Date(today.Year(), 12, 31, 0, 0, 0, 0, time.UTC).YearDay()
}
