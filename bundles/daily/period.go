package daily

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"kota/bundles/internal/arguments"
	"kota/bundles/internal/lazyregexp"
	"kota/bundles/internal/timeparse"
)

// The units of time that plans and reviews are of.
const (
	ofDay   = "day"
	ofWeek  = "week"
	ofMonth = "month"
)

// A period is a day, a week of ISO 8601 (from Monday) or a month, in civil
// dates: it knows of no zone. first is its first day, at midnight in UTC.
type period struct {
	unit  string
	first time.Time
}

// name is the period as it is kept: "2026-11-20", "2026-W47" or "2026-11".
func (p period) name() string {
	switch p.unit {
	case ofWeek:
		year, week := p.first.ISOWeek()
		return fmt.Sprintf("%04d-W%02d", year, week)
	case ofMonth:
		return p.first.Format("2006-01")
	}
	return p.from()
}

// from and to are its first and last dates.
func (p period) from() string { return p.first.Format(time.DateOnly) }

func (p period) to() string { return p.next().first.AddDate(0, 0, -1).Format(time.DateOnly) }

func (p period) next() period { return p.shifted(1) }

func (p period) before() period { return p.shifted(-1) }

func (p period) shifted(by int) period {
	switch p.unit {
	case ofWeek:
		return period{ofWeek, p.first.AddDate(0, 0, 7*by)}
	case ofMonth:
		return period{ofMonth, p.first.AddDate(0, by, 0)}
	}
	return period{ofDay, p.first.AddDate(0, 0, by)}
}

// dates are all of its days.
func (p period) dates() []string {
	dates := []string{}
	for day := p.first; day.Before(p.next().first); day = day.AddDate(0, 0, 1) {
		dates = append(dates, day.Format(time.DateOnly))
	}
	return dates
}

// words say the period as people do: "Friday 20 November 2026", "week 47, 16 –
// 22 November 2026", "November 2026".
func (p period) words() string {
	switch p.unit {
	case ofWeek:
		last := p.first.AddDate(0, 0, 6)
		from := p.first.Format("2 January 2006")
		switch {
		case p.first.Month() == last.Month():
			from = p.first.Format("2")
		case p.first.Year() == last.Year():
			from = p.first.Format("2 January")
		}
		_, week := p.first.ISOWeek()
		return fmt.Sprintf("week %d, %s – %s", week, from, last.Format("2 January 2006"))
	case ofMonth:
		return p.first.Format("January 2006")
	}
	return weekday(p.from())
}

// as is the period of another unit that this one is in: the week of a day. It
// reports false where there is none.
func (p period) as(unit string) (period, bool) {
	switch {
	case p.unit == unit:
		return p, true
	case p.unit == ofDay && unit == ofWeek:
		return period{ofWeek, p.first.AddDate(0, 0, -(int(p.first.Weekday())+6)%7)}, true
	case p.unit == ofDay && unit == ofMonth:
		return period{ofMonth, p.first.AddDate(0, 0, 1-p.first.Day())}, true
	}
	return period{}, false
}

var (
	weekForm  = lazyregexp.Of(`^(\d{4})-?[wW](\d{1,2})$`)
	monthForm = lazyregexp.Of(`^\d{4}-\d{2}$`)
)

// named is the period that is kept by that name. It reports false for what is
// no such name, and for a year outside of those that are read.
func named(name string) (period, bool) {
	if week := weekForm().FindStringSubmatch(name); week != nil {
		return weekOf(week[1], week[2])
	}
	form, unit := time.DateOnly, ofDay
	if monthForm().MatchString(name) {
		form, unit = "2006-01", ofMonth
	}
	first, err := time.Parse(form, name)
	return period{unit, first}, err == nil && inYears(first)
}

// weekOf is a week of a year, which has 52 or 53.
func weekOf(year, week string) (period, bool) {
	y, err := strconv.Atoi(year)
	w, err2 := strconv.Atoi(week)
	if err != nil || err2 != nil {
		return period{}, false
	}
	// 4 January is in the first week of its year (ISO 8601).
	first, _ := period{ofDay, time.Date(y, 1, 4, 0, 0, 0, 0, time.UTC)}.as(ofWeek)
	found := first.shifted(w - 1)
	inYear, inWeek := found.first.ISOWeek()
	return found, inYears(found.first) && inYear == y && inWeek == w
}

func inYears(t time.Time) bool {
	return t.Year() >= timeparse.FirstYear && t.Year() <= timeparse.LastYear
}

// A reading says how words for a time are meant.
type reading struct {
	unit string // of "this" and "last" alone; "" when nothing tells
	past bool   // "friday" is the last one, not the next
}

const periodsRead = `a day, a week or a month of the years 1900 to 2200: "2026-11-20", "2026-W47", "2026-11", "yesterday", "last week", "24 december"`

// period reads a day, a week or a month: as it is kept, or in words that are
// counted from today. A time with a zone is of the day it belongs to there. It
// answers VALIDATION_ERROR, of the argument at path, for anything else.
func (c Clock) period(path, text string, r reading) (period, error) {
	said, today := r.spelled(text), c.today()
	if found, ok := named(said); ok {
		return found, nil
	}
	if moment, err := time.Parse(time.RFC3339, strings.ToUpper(said)); err == nil && inYears(moment) {
		date, _ := c.dayOf(moment.In(c.Zone()))
		found, _ := named(date)
		return found, nil
	}
	// Civil dates are counted at noon in UTC, where no clock ever changes.
	read, err := timeparse.Parse(said, timeparse.Context{Now: today.first.Add(12 * time.Hour), Zone: time.UTC})
	if err != nil {
		return period{}, arguments.Invalid(path, periodsRead, fmt.Sprintf("%q", arguments.Brief(text)))
	}
	found := period{ofDay, read.Time.UTC().Truncate(24 * time.Hour)}
	switch days := int(read.End.Sub(read.Time).Hours() / 24); {
	case days > 31 || days == 2: // a year, a weekend
		return period{}, arguments.Invalid(path, periodsRead, fmt.Sprintf("%q", arguments.Brief(text)))
	case days > 7:
		found.unit = ofMonth
	case days == 7:
		found.unit = ofWeek
	}
	if r.past && read.Again != timeparse.Never {
		last := span{from: found.from(), to: found.to(), again: read.Again}.notAfter(today.from())
		found.first = floating(last.from)
	}
	return found, nil
}

// day is period for an argument that has to be one day.
func (c Clock) day(path, text string, r reading) (period, error) {
	r.unit = ofDay
	found, err := c.period(path, text, r)
	if err == nil && found.unit != ofDay {
		return period{}, arguments.Invalid(path, `one day: "2026-11-20", "tomorrow", "friday"`, fmt.Sprintf("%q", arguments.Brief(text)))
	}
	return found, err
}

// spelled is the text in words that are read.
func (r reading) spelled(text string) string {
	said := spelled(text)
	switch said {
	case "this", "next", "last":
		if r.unit == ofDay {
			return map[string]string{"this": "today", "next": "tomorrow", "last": "yesterday"}[said]
		}
		return strings.TrimSpace(said + " " + r.unit)
	case "this day", "day":
		return "today"
	case "week", "month":
		return "this " + said
	}
	return said
}
