package recurrence

import (
	"slices"
	"time"

	"github.com/teambition/rrule-go"

	"kota/bundles/internal/timeparse"
)

// stream returns the next time, and false at the end.
type stream func() (time.Time, bool)

// rrule-go searches until the year 9999 if a rule matches nothing. To end that
// search sooner, it gets years that are 7600 later. They have the same weekdays
// and leap days, because the Gregorian calendar repeats every 400 years. 9999
// then stands for 2399.
const (
	cycleYears   = 19 * 400
	cycleSeconds = 19 * 146097 * 86400
)

// localTimes returns the local times of the rule, in order. It may omit those
// before from. It applies COUNT but not UNTIL, and ignores changes of the
// clocks.
func (s *Set) localTimes(r rule, from time.Time) stream {
	made, err := rrule.NewRRule(s.options(r, from))
	if err != nil {
		return func() (time.Time, bool) { return time.Time{}, false }
	}
	next := made.Iterator()
	left := r.count
	return func() (time.Time, bool) {
		for {
			t, ok := next()
			wall := time.Unix(t.Unix()-cycleSeconds, 0).UTC()
			switch {
			case !ok || wall.Year() > timeparse.LastYear:
				return time.Time{}, false
			case wall.Before(s.wall) || len(r.weeks) > 0 && !inWeek(wall, r):
				continue
			case r.count > 0 && left == 0:
				return time.Time{}, false
			}
			left--
			return wall, true
		}
	}
}

// options returns the rule for rrule-go, with the parts that the rule takes
// from the start of the series. It begins with the year, month, week or day of
// the start, because BYSETPOS counts from there (RFC 5545 section 3.3.10).
// Without COUNT, and if from is after the start, it begins with the last period
// that starts at or before from.
func (s *Set) options(r rule, from time.Time) rrule.ROption {
	r = r.withDefaults(s.wall)
	first := r.period(s.wall)
	if r.count == 0 && from.After(s.wall) {
		first = r.lastPeriodStart(first, from)
	}
	options := rrule.ROption{
		Freq: r.freq, Interval: r.interval, Wkst: libraryWeekday(weekday{day: r.weekStart}),
		Dtstart: first.AddDate(cycleYears, 0, 0), Until: time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
		Bymonth: r.months, Bymonthday: r.monthDays, Byyearday: r.yearDays, Bysetpos: r.positions,
		Byhour: r.hours, Byminute: r.minutes, Bysecond: r.seconds,
	}
	for _, d := range r.days {
		options.Byweekday = append(options.Byweekday, libraryWeekday(d))
	}
	return options
}

// withDefaults returns the rule with the parts that it takes from the start.
func (r rule) withDefaults(start time.Time) rule {
	if len(r.hours) == 0 {
		r.hours = []int{start.Hour()}
	}
	if len(r.minutes) == 0 {
		r.minutes = []int{start.Minute()}
	}
	if len(r.seconds) == 0 {
		r.seconds = []int{start.Second()}
	}
	if len(r.days)+len(r.monthDays)+len(r.yearDays) > 0 {
		r.days = withOrdinals(r)
		return r
	}
	switch {
	case r.freq == rrule.WEEKLY, len(r.weeks) > 0:
		r.days = []weekday{{day: start.Weekday()}}
	case r.freq == rrule.MONTHLY:
		r.monthDays = []int{start.Day()}
	case r.freq == rrule.YEARLY:
		if len(r.months) == 0 {
			r.months = []int{int(start.Month())}
		}
		r.monthDays = []int{start.Day()}
	}
	return r
}

// withOrdinals returns the days of the rule, each with a number if some have one.
// BYDAY=MO,2TU is every Monday and one Tuesday, but rrule-go looks for days
// that are both.
func withOrdinals(r rule) []weekday {
	isPlain := func(d weekday) bool { return d.n == 0 }
	if !slices.ContainsFunc(r.days, isPlain) || slices.IndexFunc(r.days, func(d weekday) bool { return d.n != 0 }) < 0 {
		return r.days
	}
	maxOrdinal := 53
	if r.freq == rrule.MONTHLY || len(r.months) > 0 {
		maxOrdinal = 5
	}
	var numbered []weekday
	for _, d := range r.days {
		if !isPlain(d) {
			numbered = append(numbered, d)
			continue
		}
		for n := range maxOrdinal {
			numbered = append(numbered, weekday{n + 1, d.day})
		}
	}
	return numbered
}

func libraryWeekday(d weekday) rrule.Weekday {
	day := [...]rrule.Weekday{rrule.SU, rrule.MO, rrule.TU, rrule.WE, rrule.TH, rrule.FR, rrule.SA}[d.day]
	return day.Nth(d.n)
}

// period returns the beginning of the year, month, week or day that wall is in.
func (r rule) period(wall time.Time) time.Time {
	year, month, day := wall.Date()
	switch r.freq {
	case rrule.YEARLY:
		month, day = 1, 1
	case rrule.MONTHLY:
		day = 1
	case rrule.WEEKLY:
		day -= (int(wall.Weekday()-r.weekStart) + 7) % 7
	}
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// lastPeriodStart returns the start of the last period of the rule that begins
// at or before wall. first is the start of its first period.
func (r rule) lastPeriodStart(first, wall time.Time) time.Time {
	to := r.period(wall)
	days := int(to.Sub(first).Hours()) / 24
	months := (to.Year()-first.Year())*12 + int(to.Month()-first.Month())
	switch r.freq {
	case rrule.YEARLY:
		return first.AddDate(months/12/r.interval*r.interval, 0, 0)
	case rrule.MONTHLY:
		return first.AddDate(0, months/r.interval*r.interval, 0)
	case rrule.WEEKLY:
		return first.AddDate(0, 0, days/7/r.interval*r.interval*7)
	}
	return first.AddDate(0, 0, days/r.interval*r.interval)
}

// inWeek reports whether the day is in one of the weeks of BYWEEKNO. The first
// week of a year is the first that has at least four of its days in that year
// (RFC 5545 section 3.3.10). The rule for rrule-go lacks BYWEEKNO, because
// rrule-go misses some of its days around new year.
func inWeek(wall time.Time, r rule) bool {
	midweek := func(t time.Time) time.Time {
		return t.AddDate(0, 0, 3-(int(t.Weekday()-r.weekStart)+7)%7)
	}
	middle := midweek(wall)
	week := (middle.YearDay()-1)/7 + 1
	// The 28th of December is in the last week of its year, wherever weeks begin.
	last := (midweek(time.Date(middle.Year(), 12, 28, 0, 0, 0, 0, time.UTC)).YearDay()-1)/7 + 1
	return slices.Contains(r.weeks, week) || slices.Contains(r.weeks, week-last-1)
}

// StartNotInRule reports whether the start of the set is stray: none of its
// rules and RDATE lines gives it. next is then the first time after the start
// that a rule gives. Google counts a stray start as an instance. The start of a
// set whose rules give no time is never stray.
func (s *Set) StartNotInRule() (next time.Time, stray bool) {
	for _, r := range s.rules {
		first, ok := s.occurrences(r, s.wall)()
		switch {
		case !ok:
			continue
		case first.wall.Equal(s.wall):
			return time.Time{}, false
		case next.IsZero() || first.at.Before(next):
			next = first.at
		}
	}
	dated := slices.ContainsFunc(s.rdates, func(t time.Time) bool {
		return t.Equal(s.start.Time) || s.start.Date && t.Equal(s.wall)
	})
	return next, len(s.rules) > 0 && !dated && !next.IsZero()
}
