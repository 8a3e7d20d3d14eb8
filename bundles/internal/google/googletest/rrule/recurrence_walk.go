package rrule

import (
	"slices"
	"time"
)

// starts returns the rule's instances before end: DTSTART, which COUNT includes
// (RFC 5545 3.3.10), and the matches after it.
func (r *rrule) starts(end time.Time) []time.Time {
	first := r.start.At
	found := r.matches(end)
	if len(found) > 0 && found[0].Equal(first) {
		return found
	}
	found = append([]time.Time{first}, found...)
	if r.count > 0 && len(found) > r.count {
		found = found[:r.count]
	}
	return found
}

// matches returns the times that the rule itself gives, not before DTSTART and
// before end, at most COUNT.
//
// Every day belongs to a period, and only each INTERVAL-th period counts. In
// such a period, the days and times that match the BY parts form a set, from
// which BYSETPOS picks.
func (r *rrule) matches(end time.Time) []time.Time {
	var found []time.Time
	startPeriod := r.period(r.start.Local)
	day := midnight(r.start.Local)
	for r.period(day.AddDate(0, 0, -1)) == startPeriod {
		day = day.AddDate(0, 0, -1)
	}
	for !r.isOver(day, end) {
		period := r.period(day)
		var set []time.Time
		for ; r.period(day) == period; day = day.AddDate(0, 0, 1) {
			if (period-startPeriod)%r.interval == 0 && r.includesDay(day) {
				set = append(set, r.times(day)...)
			}
		}
		for _, wall := range r.selectPositions(set) {
			at := r.start.instant(wall)
			if wall.Before(r.start.Local) || r.isAfterUntil(wall, at) || !at.Before(end) {
				continue
			}
			found = append(found, at)
			if len(found) == r.count {
				return found
			}
		}
	}
	return found
}

// isOver reports whether the day is after end or after UNTIL in every zone.
func (r *rrule) isOver(day, end time.Time) bool {
	if day.After(end.Add(2 * Day)) {
		return true
	}
	return !r.until.IsZero() && day.After(r.until.Add(2*Day))
}

// isAfterUntil reports whether an instance is after UNTIL, which is inclusive.
// A day in UNTIL is compared with the local day of the instance, and a time
// with its instant.
func (r *rrule) isAfterUntil(wall, at time.Time) bool {
	switch {
	case r.until.IsZero():
		return false
	case r.untilDay:
		return midnight(wall).After(r.until)
	}
	return at.After(r.until)
}

// period returns the number of the day's period: day, week, month or year. With
// BYWEEKNO a year is a year of weeks.
func (r *rrule) period(day time.Time) int {
	switch r.freq {
	case "DAILY":
		return dayNumber(day)
	case "WEEKLY":
		return dayNumber(r.weekOf(day)) / 7 // weeks start on the same remainder
	case "MONTHLY":
		return day.Year()*12 + int(day.Month())
	}
	if len(r.byWeekNo) > 0 {
		year, _ := r.week(day)
		return year
	}
	return day.Year()
}

// dayNumber counts the days since 1 January of the year 1.
func dayNumber(day time.Time) int { return int(midnight(day).Unix()/86400) + 719162 }

// weekOf returns the first day of the week that contains the day.
func (r *rrule) weekOf(day time.Time) time.Time {
	return midnight(day).AddDate(0, 0, -(int(day.Weekday()-r.weekStart)+7)%7)
}

// week returns the year that contains most of the day's week, and the number of
// the week in that year.
func (r *rrule) week(day time.Time) (year, number int) {
	fourth := r.weekOf(day).AddDate(0, 0, 3)
	return fourth.Year(), (fourth.YearDay()-1)/7 + 1
}

// selectPositions returns the part of the set that BYSETPOS picks. The set must be
// sorted.
func (r *rrule) selectPositions(set []time.Time) []time.Time {
	if len(r.bySetPos) == 0 {
		return set
	}
	var left []time.Time
	for i, wall := range set {
		if slices.Contains(r.bySetPos, i+1) || slices.Contains(r.bySetPos, i-len(set)) {
			left = append(left, wall)
		}
	}
	return left
}

// times returns the local times that the rule gives on the day. An hour, minute
// or second that the rule does not name is that of DTSTART.
func (r *rrule) times(day time.Time) []time.Time {
	var times []time.Time
	for _, hour := range orDefault(r.byHour, r.start.Local.Hour()) {
		for _, minute := range orDefault(r.byMinute, r.start.Local.Minute()) {
			for _, second := range orDefault(r.bySecond, r.start.Local.Second()) {
				times = append(times, day.Add(time.Duration(hour)*time.Hour+time.Duration(minute)*time.Minute+time.Duration(second)*time.Second))
			}
		}
	}
	slices.SortFunc(times, time.Time.Compare)
	return slices.CompactFunc(times, time.Time.Equal)
}

func orDefault(given []int, otherwise int) []int {
	if len(given) == 0 {
		return []int{otherwise}
	}
	return given
}
