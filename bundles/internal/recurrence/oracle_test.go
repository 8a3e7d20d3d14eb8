package recurrence_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// oracleRule is a rule that the oracle counts: by the definitions of RFC 5545
// section 3.3.10, day by day, without code of the package or of rrule-go.
type oracleRule struct {
	freq                                                          string
	interval, count                                               int
	until                                                         time.Time // floating for days, otherwise a moment
	weekStart                                                     time.Weekday
	days                                                          []nth
	months, weeks, yearDays, monthDays, hours, minutes, positions []int
}

type nth struct {
	n   int
	day time.Weekday
}

const codes = "SUMOTUWETHFRSA"

func code(d time.Weekday) string { return codes[2*d : 2*d+2] }

func (p oracleRule) text(date bool) string {
	parts := []string{"FREQ=" + p.freq}
	if p.interval > 1 {
		parts = append(parts, fmt.Sprintf("INTERVAL=%d", p.interval))
	}
	if p.count > 0 {
		parts = append(parts, fmt.Sprintf("COUNT=%d", p.count))
	}
	if !p.until.IsZero() && date {
		parts = append(parts, "UNTIL="+p.until.Format("20060102"))
	} else if !p.until.IsZero() {
		parts = append(parts, "UNTIL="+p.until.UTC().Format("20060102T150405Z"))
	}
	if p.weekStart != time.Monday {
		parts = append(parts, "WKST="+code(p.weekStart))
	}
	var days []string
	for _, d := range p.days {
		if d.n == 0 {
			days = append(days, code(d.day))
		} else {
			days = append(days, fmt.Sprintf("%d%s", d.n, code(d.day)))
		}
	}
	if len(days) > 0 {
		parts = append(parts, "BYDAY="+strings.Join(days, ","))
	}
	for name, list := range map[string][]int{
		"BYMONTH": p.months, "BYWEEKNO": p.weeks, "BYYEARDAY": p.yearDays, "BYMONTHDAY": p.monthDays, "BYHOUR": p.hours, "BYMINUTE": p.minutes, "BYSETPOS": p.positions,
	} {
		var texts []string
		for _, n := range list {
			texts = append(texts, fmt.Sprint(n))
		}
		if len(texts) > 0 {
			parts = append(parts, name+"="+strings.Join(texts, ","))
		}
	}
	return strings.Join(parts, ";")
}

func day(t time.Time) int { return int(t.Unix() / 86400) } // floating, after 1970

// period returns the number of the year, month, week or day that contains a
// day.
func (p oracleRule) period(t time.Time) int {
	switch p.freq {
	case "YEARLY":
		return t.Year()
	case "MONTHLY":
		return t.Year()*12 + int(t.Month())
	case "WEEKLY":
		return (day(t) + 4 - int(p.weekStart) + 7*1000) / 7 // day 0 was a Thursday
	}
	return day(t)
}

// weekOf returns the number of the week of a day, counted from the beginning
// and from the end of its year. A week belongs to the year that has most of its
// days.
func weekOf(t time.Time, weekStart time.Weekday) (int, int) {
	first := t
	for first.Weekday() != weekStart {
		first = first.AddDate(0, 0, -1)
	}
	year := func(first time.Time) int { return first.AddDate(0, 0, 3).Year() } // the fourth day decides
	own, up, down := year(first), 0, 0
	for at := first; year(at) == own; at = at.AddDate(0, 0, -7) {
		up++
	}
	for at := first; year(at) == own; at = at.AddDate(0, 0, 7) {
		down--
	}
	return up, down
}

// matches reports whether the rule has an instance on a day of a period that it
// counts, apart from BYSETPOS.
func (p oracleRule) matches(t, start time.Time) bool {
	has := func(list []int, n ...int) bool {
		return len(list) == 0 || slices.ContainsFunc(n, func(n int) bool { return slices.Contains(list, n) })
	}
	monthEnd := time.Date(t.Year(), t.Month()+1, 0, 0, 0, 0, 0, time.UTC)
	yearEnd := time.Date(t.Year(), 12, 31, 0, 0, 0, 0, time.UTC)
	if !has(p.months, int(t.Month())) || !has(p.monthDays, t.Day(), t.Day()-monthEnd.Day()-1) || !has(p.yearDays, t.YearDay(), t.YearDay()-yearEnd.YearDay()-1) {
		return false
	}
	switch {
	case len(p.days) > 0:
		inMonth := p.freq == "MONTHLY" || len(p.months) > 0
		return slices.ContainsFunc(p.days, func(d nth) bool {
			at, end := t.YearDay(), yearEnd.YearDay()
			if inMonth {
				at, end = t.Day(), monthEnd.Day()
			}
			number := (at-1)/7 + 1
			if d.n < 0 {
				number = -((end-at)/7 + 1)
			}
			return t.Weekday() == d.day && (d.n == 0 || d.n == number)
		})
	case len(p.monthDays)+len(p.yearDays) > 0:
		return true
	case p.freq == "WEEKLY" || len(p.weeks) > 0:
		return t.Weekday() == start.Weekday()
	case p.freq == "MONTHLY":
		return t.Day() == start.Day()
	case p.freq == "YEARLY":
		return t.Day() == start.Day() && (len(p.months) > 0 || t.Month() == start.Month())
	}
	return true
}

// walls returns the local times of the rule from the start on, to the end of
// the period in which the given days end. It applies COUNT.
func (p oracleRule) walls(start time.Time, length int) []time.Time {
	var all []time.Time
	first := start.Truncate(24 * time.Hour)
	from := first.AddDate(0, 0, -7)
	if p.freq == "YEARLY" || p.freq == "MONTHLY" {
		from = time.Date(first.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
	}
	var set []time.Time
	counted := p.period(from)
	flush := func() {
		for i, t := range set {
			if len(p.positions) > 0 && !slices.Contains(p.positions, i+1) && !slices.Contains(p.positions, i-len(set)) {
				continue
			}
			if !t.Before(start) && (p.count == 0 || len(all) < p.count) {
				all = append(all, t)
			}
		}
		set = set[:0]
	}
	for at := from; at.Before(first.AddDate(0, 0, length)) || p.period(at) == counted; at = at.AddDate(0, 0, 1) {
		if p.period(at) != counted {
			flush()
			counted = p.period(at)
		}
		if (p.period(at)-p.period(first))%p.interval != 0 || !p.matches(at, start) {
			continue
		}
		if len(p.weeks) > 0 {
			if up, down := weekOf(at, p.weekStart); !slices.Contains(p.weeks, up) && !slices.Contains(p.weeks, down) {
				continue
			}
		}
		for hour := range 24 {
			if !slices.Contains(p.hours, hour) && (len(p.hours) > 0 || hour != start.Hour()) {
				continue
			}
			for minute := range 60 {
				if slices.Contains(p.minutes, minute) || len(p.minutes) == 0 && minute == start.Minute() {
					set = append(set, at.Add(time.Duration(hour)*time.Hour+time.Duration(minute)*time.Minute+time.Duration(start.Second())*time.Second))
				}
			}
		}
	}
	flush()
	return all
}

// firstShown returns the moment at which clocks first show that local time. If
// clocks skip it, firstShown uses the offset before the gap. It checks the
// clock every quarter of an hour for more than a day.
func firstShown(wall time.Time, where *time.Location) time.Time {
	var before time.Duration
	for at := wall.Add(-27 * time.Hour); at.Before(wall.Add(27 * time.Hour)); at = at.Add(15 * time.Minute) {
		_, seconds := at.In(where).Zone()
		offset := time.Duration(seconds) * time.Second
		if t := wall.Add(-offset); inUTC(t.In(where)).Equal(wall) {
			return t.In(where)
		}
		if inUTC(at.In(where)).Before(wall) {
			before = offset
		}
	}
	return wall.Add(-before).In(where)
}

func inUTC(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}

// generator generates rules.
type generator struct{ *rand.Rand }

func (d generator) one(in int) bool { return d.IntN(in) == 0 }

// some returns up to four numbers of a range, some counted from its end.
func (d generator) some(from, to int, negative bool) []int {
	var list []int
	for range 1 + d.IntN(4) {
		n := from + d.IntN(to-from+1)
		if negative && d.one(3) {
			n = -n
		}
		if !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	return list
}

func (d generator) rule(date bool) oracleRule {
	p := oracleRule{freq: []string{"DAILY", "WEEKLY", "WEEKLY", "MONTHLY", "MONTHLY", "YEARLY"}[d.IntN(6)], interval: 1, weekStart: time.Monday}
	if d.one(2) {
		p.interval = 1 + d.IntN(5)
	}
	if d.one(3) {
		p.weekStart = time.Weekday(d.IntN(7))
	}
	if d.one(3) {
		p.count = 1 + d.IntN(30)
	}
	if d.one(4) {
		p.months = d.some(1, 12, false)
	}
	if d.one(3) && p.freq != "WEEKLY" {
		p.monthDays = d.some(1, 31, true)
	}
	if d.one(6) && p.freq == "YEARLY" && len(p.monthDays) == 0 {
		p.yearDays = d.some(1, 366, true)
	}
	if d.one(4) && p.freq == "YEARLY" && len(p.yearDays) == 0 {
		p.weeks = d.some(1, 53, true)
	}
	if d.one(2) {
		p.days = d.days(p)
	}
	if !date && d.one(6) {
		p.hours = d.some(0, 23, false)
	}
	if !date && d.one(8) {
		p.minutes = d.some(0, 59, false)
	}
	parts := len(p.months) + len(p.monthDays) + len(p.yearDays) + len(p.days) + len(p.hours) + len(p.minutes)
	if d.one(4) && parts > 0 && len(p.weeks) == 0 {
		p.positions = d.some(1, map[bool]int{true: 1 + parts, false: 6}[p.freq == "DAILY"], true)
	}
	return p
}

func (d generator) days(p oracleRule) []nth {
	var days []nth
	for range 1 + d.IntN(4) {
		one := nth{day: time.Weekday(d.IntN(7))}
		if (p.freq == "MONTHLY" || p.freq == "YEARLY") && len(p.weeks) == 0 && d.one(2) {
			one.n = 1 + d.IntN(5)
			if p.freq == "YEARLY" && len(p.months) == 0 {
				one.n = 1 + d.IntN(53)
			}
			if d.one(2) {
				one.n = -one.n
			}
		}
		if !slices.Contains(days, one) {
			days = append(days, one)
		}
	}
	return days
}
