package days

import (
	"strings"
	"time"

	"kota/bundles/internal/timeparse"
)

// A Span is one day or several, the last included.
type Span struct {
	From, To string // dates; "": there is no such bound
	again    timeparse.Again
	Moment   time.Time // where a time of day was named with the day; zero otherwise
	Why      string    // of a word, where it is not plain which day it means
}

// Length is how many days a span has.
func (s Span) Length() int { return int(Midnight(s.To).Sub(Midnight(s.From)).Hours()/24) + 1 }

// Asked is what a cursor of these days goes on with.
func (s Span) Asked() any { return []string{s.From, s.To} }

// Days reads an argument that names a day, a week or a month. Words count from
// the day that it is for the user, and what comes round, as a weekday does, is
// the last one: an entry tells what has been. It reports false, and notes what is
// wrong, when there is none.
func (p *Problems) Days(path, text string, c Present) (Span, bool) {
	s, ok := p.Coming(path, text, c)
	if !ok || s.again == timeparse.Never {
		return s, ok
	}
	word := spelled(text)
	switch begun := c.Date; s.again {
	case timeparse.Weekly:
		s, s.Why = s.notAfter(begun), "the last "+Midnight(s.From).Weekday().String()
	case timeparse.Yearly:
		if s.From == s.To {
			begun = c.tomorrow() // which is taken, too
		}
		s, s.Why = s.notAfter(begun), "the last "+word
	}
	return s, true
}

// Coming is days for what is to be done: what comes round is the next one.
func (p *Problems) Coming(path, text string, c Present) (Span, bool) {
	word := spelled(text)
	if kept, ok := Named(word); ok && kept.Unit != Day {
		return Span{From: kept.From(), To: kept.To()}, true
	}
	m, err := timeparse.Parse(word, timeparse.Context{Now: c.counting(word), Zone: c.Moment.Location()})
	if err != nil {
		p.time(path, text, err)
		return Span{}, false
	}
	if !m.Date {
		return c.spanOf(m), true
	}
	first := timeparse.WallOf(m.Time).Floating()
	last := timeparse.WallOf(m.End.Add(-time.Second)).Floating()
	s := Span{From: first.Format(time.DateOnly), To: last.Format(time.DateOnly), again: m.Again}
	if c.why != "" && (word[0] < '0' || word[0] > '9') { // a date means itself
		s.Why = word + " is counted from " + InWords(c.Date) + ": " + c.why
	}
	return s, true
}

// notAfter is the last of the days that come round which has begun by a date.
func (s Span) notAfter(date string) Span {
	for s.From > date {
		s = s.later(-1)
	}
	return s
}

// notBefore is the first of them that has not ended before a date.
func (s Span) notBefore(date string) Span {
	for s.again != timeparse.Never && s.To < date {
		s = s.later(1)
	}
	return s
}

// later is the same days so many rounds on.
func (s Span) later(rounds int) Span {
	from, to := Midnight(s.From), Midnight(s.To)
	if s.again == timeparse.Weekly {
		from, to = from.AddDate(0, 0, 7*rounds), to.AddDate(0, 0, 7*rounds)
	} else if s.From != s.To {
		from = from.AddDate(rounds, 0, 0)
		to = from.AddDate(0, 1, -1) // of a month, which may be February
	} else {
		from = sameDate(from, rounds)
		to = from
	}
	s.From, s.To = from.Format(time.DateOnly), to.Format(time.DateOnly)
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
func (c Present) counting(word string) time.Time {
	if word == "now" || strings.HasSuffix(word, " ago") || strings.HasPrefix(word, "in ") {
		return c.Moment
	}
	return timeparse.Place(Midnight(c.Date).Add(12*time.Hour), c.Moment.Location()).Time
}

// spanOf is the day of a moment. Whole days away say no time of day.
func (c Present) spanOf(m timeparse.Moment) Span {
	m, twice := c.latestOf(m)
	date, why := c.DayOf(m.Time.In(m.Zone))
	why = both(why, twice)
	if timeparse.WallOf(m.Time).Floating().Format(time.TimeOnly) == timeparse.WallOf(c.Moment).Floating().Format(time.TimeOnly) {
		return Span{From: date, To: date, Why: why}
	}
	return Span{From: date, To: date, Moment: m.Time, Why: why}
}

// latestOf is a moment: of two at which clocks show the same time it is the last
// that has been.
func (c Present) latestOf(m timeparse.Moment) (of timeparse.Moment, why string) {
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

// Span reads the days that a read is of: today, when nothing names others.
func (p *Problems) Span(date, from, to string, c Present) Span {
	switch {
	case date != "" && (from != "" || to != ""):
		p.Add("date", "left out when from or to is given", date)
	case date != "":
		named, _ := p.Days("date", date, c)
		return named
	case from == "" && to == "":
		return Span{From: c.Date, To: c.Date, Why: c.why}
	}
	return p.Bounds(from, to, c)
}

// Bounds reads a span of which either end may be left out: then it has none
// there.
func (p *Problems) Bounds(from, to string, c Present) Span {
	var s Span
	if from != "" {
		first, _ := p.Days("from", from, c)
		s.From = first.From
	}
	if to != "" {
		last, _ := p.Days("to", to, c)
		s.To = last.notBefore(s.From).To
	}
	if s.From > s.To && s.To != "" {
		p.Add("to", "not before from, which is "+s.From, s.To)
	}
	return s
}
