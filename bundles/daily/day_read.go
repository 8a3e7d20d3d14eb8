package daily

import (
	"strings"
	"time"

	"kota/bundles/internal/timeparse"
)

// A span is one day or several, the last included.
type span struct {
	from, to string // dates; "": there is no such bound
	again    timeparse.Again
	moment   time.Time // where a time of day was named with the day; zero otherwise
	why      string    // of a word, where it is not plain which day it means
}

// length is how many days a span has.
func (s span) length() int { return int(floating(s.to).Sub(floating(s.from)).Hours()/24) + 1 }

// asked is what a cursor of these days goes on with.
func (s span) asked() any { return []string{s.from, s.to} }

// days reads an argument that names a day, a week or a month. Words count from
// the day that it is for the user, and what comes round, as a weekday does, is
// the last one: an entry tells what has been. It reports false, and notes what is
// wrong, when there is none.
func (p *problems) days(path, text string, c present) (span, bool) {
	s, ok := p.daysToCome(path, text, c)
	if !ok || s.again == timeparse.Never {
		return s, ok
	}
	word := spelled(text)
	switch begun := c.today; s.again {
	case timeparse.Weekly:
		s, s.why = s.notAfter(begun), "the last "+floating(s.from).Weekday().String()
	case timeparse.Yearly:
		if s.from == s.to {
			begun = c.tomorrow() // which is taken, too
		}
		s, s.why = s.notAfter(begun), "the last "+word
	}
	return s, true
}

// daysToCome is days for what is to be done: what comes round is the next one.
func (p *problems) daysToCome(path, text string, c present) (span, bool) {
	word := spelled(text)
	if kept, ok := named(word); ok && kept.unit != ofDay {
		return span{from: kept.from(), to: kept.to()}, true
	}
	m, err := timeparse.Parse(word, timeparse.Context{Now: c.counting(word), Zone: c.now.Location()})
	if err != nil {
		p.time(path, text, err)
		return span{}, false
	}
	if !m.Date {
		return c.spanOf(m), true
	}
	first := timeparse.WallOf(m.Time).Floating()
	last := timeparse.WallOf(m.End.Add(-time.Second)).Floating()
	s := span{from: first.Format(time.DateOnly), to: last.Format(time.DateOnly), again: m.Again}
	if c.why != "" && (word[0] < '0' || word[0] > '9') { // a date means itself
		s.why = word + " is counted from " + weekday(c.today) + ": " + c.why
	}
	return s, true
}

// notAfter is the last of the days that come round which has begun by a date.
func (s span) notAfter(date string) span {
	for s.from > date {
		s = s.later(-1)
	}
	return s
}

// notBefore is the first of them that has not ended before a date.
func (s span) notBefore(date string) span {
	for s.again != timeparse.Never && s.to < date {
		s = s.later(1)
	}
	return s
}

// later is the same days so many rounds on.
func (s span) later(rounds int) span {
	from, to := floating(s.from), floating(s.to)
	if s.again == timeparse.Weekly {
		from, to = from.AddDate(0, 0, 7*rounds), to.AddDate(0, 0, 7*rounds)
	} else if s.from != s.to {
		from = from.AddDate(rounds, 0, 0)
		to = from.AddDate(0, 1, -1) // of a month, which may be February
	} else {
		from = sameDate(from, rounds)
		to = from
	}
	s.from, s.to = from.Format(time.DateOnly), to.Format(time.DateOnly)
	return s
}

// sameDate is a day so many years on: of 29 February the next or last leap year's.
func sameDate(day time.Time, years int) time.Time {
	for n := 1; n <= timeparse.LeapYears; n++ {
		if same := day.AddDate(n*years, 0, 0); same.Day() == day.Day() {
			return same
		}
	}
	return day.AddDate(years, 0, 0)
}

// spelled are words in the form in which they are read: a part of a day is that
// day.
func spelled(text string) string {
	said := strings.Join(strings.Fields(strings.ToLower(text)), " ")
	if word, rest, _ := strings.Cut(said, " "); word == "previous" || word == "current" {
		said = strings.TrimSpace(map[string]string{"previous": "last", "current": "this"}[word] + " " + rest)
	}
	switch said {
	case "tonight", "this morning", "this afternoon", "this evening":
		return "today"
	case "last night", "yesterday morning", "yesterday afternoon", "yesterday evening":
		return "yesterday"
	case "tomorrow morning", "tomorrow afternoon", "tomorrow evening":
		return "tomorrow"
	}
	return said
}

// counting is the moment that words count from: the day that it is for the user
// is not always the date that clocks show, but some hours ago are from now.
func (c present) counting(word string) time.Time {
	if word == "now" || strings.HasSuffix(word, " ago") || strings.HasPrefix(word, "in ") {
		return c.now
	}
	return timeparse.Place(floating(c.today).Add(12*time.Hour), c.now.Location()).Time
}

// spanOf is the day of a moment. Whole days away say no time of day.
func (c present) spanOf(m timeparse.Moment) span {
	m, twice := c.latestOf(m)
	date, why := c.dayOf(m.Time.In(m.Zone))
	why = both(why, twice)
	if timeparse.WallOf(m.Time).Floating().Format(time.TimeOnly) == timeparse.WallOf(c.now).Floating().Format(time.TimeOnly) {
		return span{from: date, to: date, why: why}
	}
	return span{from: date, to: date, moment: m.Time, why: why}
}

// latestOf is a moment: of two at which clocks show the same time it is the last
// that has been.
func (c present) latestOf(m timeparse.Moment) (of timeparse.Moment, why string) {
	if !m.Twice() {
		return m, ""
	}
	if !c.isAhead(m.Second) {
		m.Time = m.Second
	}
	return m, saidTwice(m.Time)
}

// saidTwice tells which is meant of two moments with the same time on clocks.
func saidTwice(meant time.Time) string {
	return "clocks show " + meant.Format("15:04") + " twice: the one at " + meant.Format("-07:00") + " is meant"
}

// timeOfDay reads the reading of a clock: "23:30", "9am", "noon", "midnight".
// A day ends with the midnight or 24:00 that is in the night after it.
func timeOfDay(text string) (sinceMidnight time.Duration, ok bool) {
	if word := strings.ToLower(strings.TrimSpace(text)); word == "midnight" || word == "24:00" {
		return 0, true
	}
	m, err := timeparse.Parse("today "+text, timeparse.Context{Now: time.Unix(0, 0), Zone: time.UTC})
	if err != nil || m.Date {
		return 0, false
	}
	wall := timeparse.WallOf(m.Time).Floating()
	return wall.Sub(wall.Truncate(24 * time.Hour)), true
}

// span reads the days that a read is of: today, when nothing names others.
func (p *problems) span(date, from, to string, c present) span {
	switch {
	case date != "" && (from != "" || to != ""):
		p.Add("date", "left out when from or to is given", date)
	case date != "":
		named, _ := p.days("date", date, c)
		return named
	case from == "" && to == "":
		return span{from: c.today, to: c.today, why: c.why}
	}
	return p.bounds(from, to, c)
}

// bounds reads a span of which either end may be left out: then it has none
// there.
func (p *problems) bounds(from, to string, c present) span {
	var s span
	if from != "" {
		first, _ := p.days("from", from, c)
		s.from = first.from
	}
	if to != "" {
		last, _ := p.days("to", to, c)
		s.to = last.notBefore(s.from).to
	}
	if s.from > s.to && s.to != "" {
		p.Add("to", "not before from, which is "+s.from, s.to)
	}
	return s
}
