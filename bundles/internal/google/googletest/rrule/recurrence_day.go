package rrule

import (
	"slices"
	"time"
)

// includesDay reports whether the rule contains the day: every BY part must
// match. If no part names the day of a period, the day must be like DTSTART. It
// must have the same weekday, the same day of the month, or the same month and
// day (RFC 5545 3.3.10).
func (r *rrule) includesDay(day time.Time) bool {
	return r.matchesMonth(day) && r.matchesWeek(day) && r.matchesYearDay(day) &&
		r.matchesMonthDay(day) && r.matchesWeekday(day) && r.isLikeStart(day)
}

func (r *rrule) isLikeStart(day time.Time) bool {
	start := r.start.Local
	switch {
	case r.freq == "DAILY" || len(r.byDay) > 0:
		return true
	case r.freq == "WEEKLY" || len(r.byWeekNo) > 0 && len(r.byMonthDay)+len(r.byYearDay) == 0:
		return day.Weekday() == start.Weekday()
	case len(r.byMonthDay)+len(r.byYearDay) > 0:
		return true
	case r.freq == "MONTHLY" || len(r.byMonth) > 0:
		return day.Day() == start.Day()
	}
	return day.Day() == start.Day() && day.Month() == start.Month()
}

func (r *rrule) matchesMonth(day time.Time) bool {
	return len(r.byMonth) == 0 || slices.Contains(r.byMonth, int(day.Month()))
}

func (r *rrule) matchesWeek(day time.Time) bool {
	if len(r.byWeekNo) == 0 {
		return true
	}
	year, number := r.week(day)
	// 28 December is in the last week of its year, as 4 January is in the first.
	_, last := r.week(time.Date(year, 12, 28, 0, 0, 0, 0, time.UTC))
	return isNumbered(r.byWeekNo, number, last)
}

func (r *rrule) matchesYearDay(day time.Time) bool {
	return len(r.byYearDay) == 0 || isNumbered(r.byYearDay, day.YearDay(), daysOfYear(day))
}

func (r *rrule) matchesMonthDay(day time.Time) bool {
	return len(r.byMonthDay) == 0 || isNumbered(r.byMonthDay, day.Day(), daysOfMonth(day))
}

// matchesWeekday counts weekdays in the month, or in the year of a yearly rule without months.
func (r *rrule) matchesWeekday(day time.Time) bool {
	if len(r.byDay) == 0 {
		return true
	}
	index, days := day.Day(), daysOfMonth(day)
	if r.freq == "YEARLY" && len(r.byMonth) == 0 {
		index, days = day.YearDay(), daysOfYear(day)
	}
	fromStart, fromEnd := (index-1)/7+1, -((days-index)/7 + 1)
	return slices.ContainsFunc(r.byDay, func(w weekdayNum) bool {
		return w.day == day.Weekday() && (w.n == 0 || w.n == fromStart || w.n == fromEnd)
	})
}

// isNumbered reports whether wanted contains n, counted from 1 to count or from
// -count to -1.
func isNumbered(wanted []int, n, count int) bool {
	return slices.Contains(wanted, n) || slices.Contains(wanted, n-count-1)
}

func daysOfMonth(day time.Time) int {
	return time.Date(day.Year(), day.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

func daysOfYear(day time.Time) int {
	return time.Date(day.Year(), 12, 31, 0, 0, 0, 0, time.UTC).YearDay()
}

const Day = 24 * time.Hour

// localTime returns the local time in the zone, represented as a UTC time.
func localTime(at time.Time, zone *time.Location) time.Time {
	at = at.In(zone)
	return time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), 0, time.UTC)
}

func midnight(wall time.Time) time.Time {
	return time.Date(wall.Year(), wall.Month(), wall.Day(), 0, 0, 0, 0, time.UTC)
}

// instantOf returns when the local time in the zone occurs. If the clock shows
// it twice, it returns the first. If the clock skips it, it uses the offset
// before the gap (RFC 5545 3.3.5).
//
// No zone is further than 26 hours from UTC, and none changes twice in the 52
// hours around a time.
func instantOf(wall time.Time, zone *time.Location) time.Time {
	_, before := wall.Add(-26 * time.Hour).In(zone).Zone()
	_, after := wall.Add(26 * time.Hour).In(zone).Zone()
	first := wall.Add(-time.Duration(before) * time.Second)
	second := wall.Add(-time.Duration(after) * time.Second)
	if !localTime(first, zone).Equal(wall) && localTime(second, zone).Equal(wall) {
		return second
	}
	return first
}
