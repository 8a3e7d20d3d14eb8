package daily

import (
	"strings"
	"time"

	"kota/bundles/internal/zoned"
)

// A span is one day or several, the last included.
type span struct {
	from, to string    // dates; "": there is no such bound
	moment   time.Time // where a time of day was named with the day; zero otherwise
	why      string    // of a word, where it is not plain which day it means
}

// asked is what a cursor of these days goes on with.
func (s span) asked() any { return []string{s.from, s.to} }

// days reads an argument that names a day, a week or a month. Words count from
// the day that it is for the user, and the name of a weekday alone is the last
// one: an entry tells what has been. It reports false, and notes what is wrong,
// when there is none.
func (p *problems) days(path, text string, c clocks) (span, bool) {
	word := strings.ToLower(strings.TrimSpace(text))
	if kept, ok := named(word); ok && kept.unit != ofDay {
		return span{from: kept.from(), to: kept.to()}, true
	}
	m, err := zoned.Parse(text, zoned.Context{Now: c.counting(word), Zone: c.now.Location()})
	if err != nil {
		p.time(path, text, err)
		return span{}, false
	}
	if !m.Date {
		return c.spanOf(m), true
	}
	first := zoned.WallOf(m.Time).Floating()
	last := zoned.WallOf(m.End.Add(-time.Second)).Floating()
	s := span{from: first.Format(time.DateOnly), to: last.Format(time.DateOnly)}
	switch {
	case word[0] >= '0' && word[0] <= '9': // a date, which means itself
	case isWeekday(word, first):
		s.from = latest(first, c.today)
		s.to, s.why = s.from, "the last "+first.Weekday().String()
	case c.why != "":
		s.why = word + " is counted from " + weekday(c.today) + ": " + c.why
	}
	return s, true
}

// counting is the moment that words count from: the day that it is for the user
// is not always the date that clocks show, but some hours ago are from now.
func (c clocks) counting(word string) time.Time {
	if word == "now" || strings.HasSuffix(word, " ago") || strings.HasPrefix(word, "in ") {
		return c.now
	}
	return zoned.Place(floating(c.today).Add(12*time.Hour), c.now.Location()).Time
}

// spanOf is the day of a moment. Whole days away say no time of day.
func (c clocks) spanOf(m zoned.Moment) span {
	date, why := c.dayOf(m.Time.In(m.Zone))
	if zoned.WallOf(m.Time).Floating().Format(time.TimeOnly) == zoned.WallOf(c.now).Floating().Format(time.TimeOnly) {
		return span{from: date, to: date, why: why}
	}
	return span{from: date, to: date, moment: m.Time, why: why}
}

// isWeekday reports whether a word is the name of the weekday of a date, and
// nothing with it.
func isWeekday(word string, date time.Time) bool {
	return len(word) >= 3 && strings.HasPrefix(strings.ToLower(date.Weekday().String()), word)
}

// latest is the last date of a weekday that has begun.
func latest(date time.Time, today string) string {
	for date.Format(time.DateOnly) > today {
		date = date.AddDate(0, 0, -7)
	}
	return date.Format(time.DateOnly)
}

// timeOfDay reads the reading of a clock: "23:30", "9am", "noon".
func timeOfDay(text string) (sinceMidnight time.Duration, ok bool) {
	m, err := zoned.Parse("today "+text, zoned.Context{Now: time.Unix(0, 0), Zone: time.UTC})
	if err != nil || m.Date {
		return 0, false
	}
	wall := zoned.WallOf(m.Time).Floating()
	return wall.Sub(wall.Truncate(24 * time.Hour)), true
}
