package days

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"kota/bundles/internal/arguments"
	"kota/bundles/internal/lazyregexp"
	"kota/bundles/internal/timeparse"
)

// The units of plans and reviews.
const (
	Day   = "day"
	Week  = "week"
	Month = "month"
)

// A Period is a day, an ISO 8601 week (from Monday) or a month in civil dates, without a
// zone. First is its first day, at midnight in UTC.
type Period struct {
	Unit  string
	First time.Time
}

// Name returns the stored form: "2026-11-20", "2026-W47" or "2026-11".
func (p Period) Name() string {
	switch p.Unit {
	case Week:
		year, week := p.First.ISOWeek()
		return fmt.Sprintf("%04d-W%02d", year, week)
	case Month:
		return p.First.Format("2006-01")
	}
	return p.From()
}

// From returns the first date of the period.
func (p Period) From() string { return p.First.Format(time.DateOnly) }

func (p Period) To() string { return p.Next().First.AddDate(0, 0, -1).Format(time.DateOnly) }

func (p Period) Next() Period { return p.shift(1) }

func (p Period) Before() Period { return p.shift(-1) }

func (p Period) shift(by int) Period {
	switch p.Unit {
	case Week:
		return Period{Week, p.First.AddDate(0, 0, 7*by)}
	case Month:
		return Period{Month, p.First.AddDate(0, by, 0)}
	}
	return Period{Day, p.First.AddDate(0, 0, by)}
}

// Dates returns all days of the period.
func (p Period) Dates() []string {
	dates := []string{}
	for day := p.First; day.Before(p.Next().First); day = day.AddDate(0, 0, 1) {
		dates = append(dates, day.Format(time.DateOnly))
	}
	return dates
}

// Words formats the period for people: "Friday 20 November 2026", "week 47, 16 – 22
// November 2026", "November 2026".
func (p Period) Words() string {
	switch p.Unit {
	case Week:
		last := p.First.AddDate(0, 0, 6)
		from := p.First.Format("2 January 2006")
		switch {
		case p.First.Month() == last.Month():
			from = p.First.Format("2")
		case p.First.Year() == last.Year():
			from = p.First.Format("2 January")
		}
		_, week := p.First.ISOWeek()
		return fmt.Sprintf("week %d, %s – %s", week, from, last.Format("2 January 2006"))
	case Month:
		return p.First.Format("January 2006")
	}
	return InWords(p.From())
}

// Containing returns p itself if p has that unit. For a day p it returns the week or month
// that contains p. It returns false for any other combination.
func (p Period) Containing(unit string) (Period, bool) {
	switch {
	case p.Unit == unit:
		return p, true
	case p.Unit == Day && unit == Week:
		return Period{Week, p.First.AddDate(0, 0, -(int(p.First.Weekday())+6)%7)}, true
	case p.Unit == Day && unit == Month:
		return Period{Month, p.First.AddDate(0, 0, 1-p.First.Day())}, true
	}
	return Period{}, false
}

var (
	weekForm  = lazyregexp.New(`^(\d{4})-?[wW](\d{1,2})$`)
	monthForm = lazyregexp.New(`^\d{4}-\d{2}$`)
)

// ParseName returns the period with this stored name. For a week it also accepts forms such as
// "2026w7". It returns false for any other text, and for a year outside FirstYear to LastYear
// of package timeparse.
func ParseName(name string) (Period, bool) {
	if week := weekForm().FindStringSubmatch(name); week != nil {
		return weekOf(week[1], week[2])
	}
	form, unit := time.DateOnly, Day
	if monthForm().MatchString(name) {
		form, unit = "2006-01", Month
	}
	first, err := time.Parse(form, name)
	return Period{unit, first}, err == nil && isSupportedYear(first)
}

// weekOf returns a week of a year. It returns false if the year has no such week.
func weekOf(year, week string) (Period, bool) {
	y, err := strconv.Atoi(year)
	w, err2 := strconv.Atoi(week)
	if err != nil || err2 != nil {
		return Period{}, false
	}
	// 4 January is in the first week of its year (ISO 8601).
	first, _ := Period{Day, time.Date(y, 1, 4, 0, 0, 0, 0, time.UTC)}.Containing(Week)
	found := first.shift(w - 1)
	inYear, inWeek := found.First.ISOWeek()
	return found, isSupportedYear(found.First) && inYear == y && inWeek == w
}

func isSupportedYear(t time.Time) bool {
	return t.Year() >= timeparse.FirstYear && t.Year() <= timeparse.LastYear
}

// A ReadOptions says how to read words for a time.
type ReadOptions struct {
	Unit string // unit of a bare "this", "next" or "last"; "" if unknown
	Past bool   // "friday" means the last Friday, not the next
}

const periodForms = `a day, a week or a month of the years 1900 to 2200: "2026-11-20", "2026-W47", "2026-11", "yesterday", "last week", "24 december"`

// Period reads a day, a week or a month, in its stored form or in words that count from
// today. A time with an offset means the user's day at that moment. Anything else is a
// VALIDATION_ERROR for the argument at path.
func (c Clock) Period(path, text string, r ReadOptions) (Period, error) {
	said, today := r.complete(text), c.Today()
	if found, ok := ParseName(said); ok {
		return found, nil
	}
	if moment, err := time.Parse(time.RFC3339, strings.ToUpper(said)); err == nil && isSupportedYear(moment) {
		date, _ := c.DayOf(moment.In(c.Zone()))
		found, _ := ParseName(date)
		return found, nil
	}
	// Dates are computed at noon in UTC, where clocks never change.
	read, err := timeparse.Parse(said, timeparse.Context{Now: today.First.Add(12 * time.Hour), Zone: time.UTC})
	if err != nil {
		return Period{}, arguments.Invalid(path, periodForms, fmt.Sprintf("%q", arguments.Brief(text)))
	}
	found := Period{Day, read.Time.UTC().Truncate(24 * time.Hour)}
	switch days := int(read.End.Sub(read.Time).Hours() / 24); {
	case days > 31 || days == 2: // a year, a weekend
		return Period{}, arguments.Invalid(path, periodForms, fmt.Sprintf("%q", arguments.Brief(text)))
	case days > 7:
		found.Unit = Month
	case days == 7:
		found.Unit = Week
	}
	if r.Past && read.Recurrence != timeparse.Once {
		last := Span{From: found.From(), To: found.To(), recurrence: read.Recurrence}.lastFrom(today.From())
		found.First = Midnight(last.From)
	}
	return found, nil
}

// Day is Period for an argument that must be one day.
func (c Clock) Day(path, text string, r ReadOptions) (Period, error) {
	r.Unit = Day
	found, err := c.Period(path, text, r)
	if err == nil && found.Unit != Day {
		return Period{}, arguments.Invalid(path, `one day: "2026-11-20", "tomorrow", "friday"`, fmt.Sprintf("%q", arguments.Brief(text)))
	}
	return found, err
}

// complete completes short forms such as "last" and "week".
func (r ReadOptions) complete(text string) string {
	said := normalize(text)
	switch said {
	case "this", "next", "last":
		if r.Unit == Day {
			return map[string]string{"this": "today", "next": "tomorrow", "last": "yesterday"}[said]
		}
		return strings.TrimSpace(said + " " + r.Unit)
	case "this day", "day":
		return "today"
	case "week", "month":
		return "this " + said
	}
	return said
}
