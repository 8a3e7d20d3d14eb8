package timeparse

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
)

// relative parses a time in words, most of which are relative to now.
func (p *parser) relative() (Moment, error) {
	now := p.at.Now.In(p.at.Zone).Truncate(time.Second)
	words := strings.Fields(strings.ToLower(p.rest))
	if len(words) == 1 && words[0] == "now" {
		return Moment{Time: now, End: now, Zone: p.at.Zone}, nil
	}
	today := LocalTimeOf(now)
	today.Hour, today.Minute, today.Second = 0, 0, 0
	if found, rest, ok := findDays(words, today.Floating()); ok {
		m, err := p.onDays(found.first, found.n, rest)
		m.Recurrence = found.recurrence
		return m, err
	}
	return p.relativeTime(withDigits(words), now)
}

// onDays returns the n days from first on, in the zone. If rest is not empty,
// it is the time of day on a single day.
func (p *parser) onDays(first time.Time, n int, rest []string) (Moment, error) {
	w := LocalTimeOf(first)
	if err := p.inYears(w); err != nil {
		return Moment{}, err
	}
	if len(rest) == 0 {
		return days(w, n, p.at.Zone)
	}
	if n > 1 || !timeOfDay(rest, &w) {
		return Moment{}, p.refuse(notATime)
	}
	return moment(w, p.at.Zone)
}

// timeOfDay parses "15:00", "9am", "9:30 pm" or "noon", with or without "at"
// before it.
func timeOfDay(words []string, w *LocalTime) bool {
	if words[0] == "at" {
		words = words[1:]
	}
	text := strings.Join(words, "")
	if text == "noon" {
		w.Hour = 12
		return true
	}
	clock, half := text, 0
	if cut, ok := strings.CutSuffix(text, "am"); ok {
		clock, half = cut, 1
	} else if cut, ok := strings.CutSuffix(text, "pm"); ok {
		clock, half = cut, 2
	}
	parts := strings.Split(clock, ":")
	if len(parts) > 3 || len(parts) == 1 && half == 0 {
		return false
	}
	var n [3]int
	for i, part := range parts {
		value, err := strconv.ParseUint(part, 10, 8)
		if err != nil || len(part) > 2 || i > 0 && (len(part) != 2 || value > 59) {
			return false
		}
		n[i] = int(value)
	}
	switch {
	case half == 0 && n[0] > 23, half > 0 && (n[0] < 1 || n[0] > 12):
		return false
	case half > 0:
		n[0] = n[0]%12 + 12*(half-1)
	}
	w.Hour, w.Minute, w.Second = n[0], n[1], n[2]
	return true
}

// relativeTime parses a time that is some hours or days from now.
func (p *parser) relativeTime(words []string, now time.Time) (Moment, error) {
	forward := 1
	switch {
	case words[0] == "in":
		words = words[1:]
	case words[len(words)-1] == "ago":
		words, forward = words[:len(words)-1], -1
	case strings.HasPrefix(words[0], "-"):
		words[0], forward = words[0][1:], -1
	}
	if months, ok := parseMonths(words); ok {
		return p.inMonths(now, forward*months)
	}
	var days int
	var exact time.Duration
	found, rest := amounts(strings.Join(words, " "))
	for _, a := range found {
		switch {
		case a.unit < day:
			exact += a.length()
		case a.count != float64(int(a.count)):
			return Moment{}, p.refuse("has a fraction of a day")
		default:
			days += int(a.count) * int(a.unit/day)
		}
	}
	w := LocalTimeOf(now)
	date := w.Floating().AddDate(0, 0, forward*days)
	if rest != "" && (exact != 0 || !timeOfDay(strings.Fields(rest), &w)) || len(found) == 0 {
		return Moment{}, p.refuse(notATime)
	}
	w.Year, w.Month, w.Day = date.Date()
	if err := p.inYears(w); err != nil {
		return Moment{}, err
	}
	m, err := moment(w, p.at.Zone)
	if err != nil || days != 0 && exact == 0 {
		return m, err
	}
	if days == 0 {
		m.Time = now // also if clocks show it for the second time
	}
	t := m.Time.Add(time.Duration(forward) * exact)
	if err := p.inYears(LocalTimeOf(t)); err != nil {
		return Moment{}, err
	}
	return Moment{Time: t, End: t, Zone: p.at.Zone}, nil
}

// withDigits replaces the number words up to twelve by figures.
func withDigits(words []string) []string {
	figures := slices.Clone(words)
	for i, word := range words {
		if word == "a" || word == "an" {
			word = "one"
		}
		if n := slices.Index(strings.Fields("zero one two three four five six seven eight nine ten eleven twelve"), word); n > 0 {
			figures[i] = strconv.Itoa(n)
		}
	}
	return figures
}

// parseMonths parses "2 months" or "1 year", which have no fixed length.
func parseMonths(words []string) (int, bool) {
	if len(words) != 2 {
		return 0, false
	}
	n, err := strconv.ParseUint(words[0], 10, 10)
	switch words[1] {
	case "month", "months":
		return int(n), err == nil
	case "year", "years":
		return 12 * int(n), err == nil
	}
	return 0, false
}

// inMonths returns the same day and time in another month. If that month has no
// such day, inMonths returns its last day.
func (p *parser) inMonths(now time.Time, months int) (Moment, error) {
	w := LocalTimeOf(now)
	first := time.Date(w.Year, w.Month+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	w.Year, w.Month, w.Day = first.Year(), first.Month(), min(w.Day, first.AddDate(0, 1, -1).Day())
	if err := p.inYears(w); err != nil {
		return Moment{}, err
	}
	return moment(w, p.at.Zone)
}

// For an argument that could not be parsed as a time or a zone, Explain says
// what it must be. err comes from Parse or Zone, or is a [GapError]. instead is
// what may have been meant, or "".
func Explain(err error) (what, instead string) {
	gap, zone := (*GapError)(nil), (*ZoneError)(nil)
	switch {
	case errors.As(err, &gap):
		return "an existing time", RFC3339(gap.After)
	case errors.As(err, &zone) && len(zone.Similar) > 0:
		return "a time zone", zone.Similar[0]
	case errors.As(err, &zone):
		return "a time zone", ""
	}
	return "a time", ""
}
