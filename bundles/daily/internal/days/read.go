package days

import (
	"strings"
	"time"

	"kota/bundles/internal/timeparse"
)

// A Span is one or more days, From and To included.
type Span struct {
	From, To   string // dates; "": no bound
	recurrence timeparse.Recurrence
	Moment     time.Time // if the argument also names a time of day; otherwise zero
	Why        string    // explains a word whose day is not obvious
}

// Length returns the number of days in a span.
func (s Span) Length() int { return int(Midnight(s.To).Sub(Midnight(s.From)).Hours()/24) + 1 }

// CursorArguments returns the arguments that a cursor is valid for.
func (s Span) CursorArguments() any { return []string{s.From, s.To} }

// Days reads an argument that names a day, a week or a month. Words count from the user's
// day. A day that recurs, such as a weekday, means its last occurrence, because entries are
// about the past. If the argument is invalid, Days notes the problem and returns false.
func (p *Problems) Days(path, text string, c CallTime) (Span, bool) {
	s, ok := p.FutureDays(path, text, c)
	if !ok || s.recurrence == timeparse.Once {
		return s, ok
	}
	word := normalize(text)
	switch begun := c.Date; s.recurrence {
	case timeparse.Weekly:
		s, s.Why = s.lastFrom(begun), "the last "+Midnight(s.From).Weekday().String()
	case timeparse.Yearly:
		if s.From == s.To {
			begun = c.tomorrow() // logging for tomorrow is allowed too
		}
		s, s.Why = s.lastFrom(begun), "the last "+word
	}
	return s, true
}

// FutureDays is Days for things to do: a day that recurs means its next occurrence.
func (p *Problems) FutureDays(path, text string, c CallTime) (Span, bool) {
	word := normalize(text)
	if kept, ok := ParseName(word); ok && kept.Unit != Day {
		return Span{From: kept.From(), To: kept.To()}, true
	}
	m, err := timeparse.Parse(word, timeparse.Context{Now: c.referenceTime(word), Zone: c.Moment.Location()})
	if err != nil {
		p.time(path, text, err)
		return Span{}, false
	}
	if !m.Date {
		return c.spanOf(m), true
	}
	first := timeparse.LocalTimeOf(m.Time).Floating()
	last := timeparse.LocalTimeOf(m.End.Add(-time.Second)).Floating()
	s := Span{From: first.Format(time.DateOnly), To: last.Format(time.DateOnly), recurrence: m.Recurrence}
	if c.why != "" && (word[0] < '0' || word[0] > '9') { // a date needs no explanation
		s.Why = word + " is counted from " + InWords(c.Date) + ": " + c.why
	}
	return s, true
}

// lastFrom returns the last recurrence of the span that begins on date or earlier.
func (s Span) lastFrom(date string) Span {
	for s.From > date {
		s = s.shift(-1)
	}
	return s
}

// nextFrom returns the first recurrence of the span that ends on date or later.
func (s Span) nextFrom(date string) Span {
	for s.recurrence != timeparse.Once && s.To < date {
		s = s.shift(1)
	}
	return s
}

// shift returns the span that many recurrences later.
func (s Span) shift(rounds int) Span {
	from, to := Midnight(s.From), Midnight(s.To)
	if s.recurrence == timeparse.Weekly {
		from, to = from.AddDate(0, 0, 7*rounds), to.AddDate(0, 0, 7*rounds)
	} else if s.From != s.To {
		from = from.AddDate(rounds, 0, 0)
		to = from.AddDate(0, 1, -1) // a month, which may be February
	} else {
		from = sameDate(from, rounds)
		to = from
	}
	s.From, s.To = from.Format(time.DateOnly), to.Format(time.DateOnly)
	return s
}

// sameDate returns the day that many years later. For 29 February only leap years count.
func sameDate(day time.Time, years int) time.Time {
	for n := 1; n <= timeparse.MaxLeapYears; n++ {
		if same := day.AddDate(n*years, 0, 0); same.Day() == day.Day() {
			return same
		}
	}
	return day.AddDate(years, 0, 0)
}

// normalize normalizes spaces, case and synonyms. A part of a day becomes that day.
func normalize(text string) string {
	words := strings.Join(strings.Fields(strings.ToLower(text)), " ")
	if word, rest, _ := strings.Cut(words, " "); word == "previous" || word == "current" {
		words = strings.TrimSpace(map[string]string{"previous": "last", "current": "this"}[word] + " " + rest)
	}
	switch words {
	case "tonight", "this morning", "this afternoon", "this evening":
		return "today"
	case "last night", "yesterday morning", "yesterday afternoon", "yesterday evening":
		return "yesterday"
	case "tomorrow morning", "tomorrow afternoon", "tomorrow evening":
		return "tomorrow"
	}
	return words
}

// referenceTime returns the moment that words count from. "2 hours ago" counts from now. Other
// words count from the user's day, which may differ from the clock's date.
func (c CallTime) referenceTime(word string) time.Time {
	if word == "now" || strings.HasSuffix(word, " ago") || strings.HasPrefix(word, "in ") {
		return c.Moment
	}
	return timeparse.Resolve(Midnight(c.Date).Add(12*time.Hour), c.Moment.Location()).Time
}

// spanOf returns the day of a moment. It leaves out a time of day that equals the current
// time of day, because "3 days ago" names only a day.
func (c CallTime) spanOf(m timeparse.Moment) Span {
	m, twice := c.lastOccurrence(m)
	date, why := c.DayOf(m.Time.In(m.Zone))
	why = joinReasons(why, twice)
	if timeparse.LocalTimeOf(m.Time).Floating().Format(time.TimeOnly) == timeparse.LocalTimeOf(c.Moment).Floating().Format(time.TimeOnly) {
		return Span{From: date, To: date, Why: why}
	}
	return Span{From: date, To: date, Moment: m.Time, Why: why}
}

// lastOccurrence resolves a clock time that occurs twice. It chooses the second
// occurrence, or the first if the second is in the future. why then names the chosen one.
func (c CallTime) lastOccurrence(m timeparse.Moment) (of timeparse.Moment, why string) {
	if !m.IsAmbiguous() {
		return m, ""
	}
	if !c.isFuture(m.Second) {
		m.Time = m.Second
	}
	return m, ambiguityNote(m.Time)
}

// ambiguityNote says which of two moments with the same clock time is meant.
func ambiguityNote(chosen time.Time) string {
	return "clocks show " + chosen.Format("15:04") + " twice: the one at " + chosen.Format("-07:00") + " was chosen"
}

// timeOfDay reads a clock time: "23:30", "9am", "noon". It returns 0 for "midnight" and
// "24:00".
func timeOfDay(text string) (sinceMidnight time.Duration, ok bool) {
	if word := strings.ToLower(strings.TrimSpace(text)); word == "midnight" || word == "24:00" {
		return 0, true
	}
	m, err := timeparse.Parse("today "+text, timeparse.Context{Now: time.Unix(0, 0), Zone: time.UTC})
	if err != nil || m.Date {
		return 0, false
	}
	wall := timeparse.LocalTimeOf(m.Time).Floating()
	return wall.Sub(wall.Truncate(24 * time.Hour)), true
}

// Span reads the days that a call asks for. The default is today.
func (p *Problems) Span(date, from, to string, c CallTime) Span {
	switch {
	case date != "" && (from != "" || to != ""):
		p.Add("date", "omitted when from or to is given", date)
	case date != "":
		named, _ := p.Days("date", date, c)
		return named
	case from == "" && to == "":
		return Span{From: c.Date, To: c.Date, Why: c.why}
	}
	return p.Bounds(from, to, c)
}

// Bounds reads a span. An empty from or to leaves that end open.
func (p *Problems) Bounds(from, to string, c CallTime) Span {
	var s Span
	if from != "" {
		first, _ := p.Days("from", from, c)
		s.From = first.From
	}
	if to != "" {
		last, _ := p.Days("to", to, c)
		s.To = last.nextFrom(s.From).To
	}
	if s.From > s.To && s.To != "" {
		p.Add("to", "on or after from, which is "+s.From, s.To)
	}
	return s
}
