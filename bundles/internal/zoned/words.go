package zoned

import (
	"strconv"
	"strings"
	"time"
)

// words reads a time that is said by what time it is now.
func (p *parser) words() (Moment, error) {
	now := p.at.Now.In(p.at.Zone).Truncate(time.Second)
	said := strings.Fields(strings.ToLower(p.rest))
	if len(said) == 1 && said[0] == "now" {
		return Moment{Time: now, End: now, Zone: p.at.Zone}, nil
	}
	today := WallOf(now)
	today.Hour, today.Minute, today.Second = 0, 0, 0
	if first, n, rest, ok := named(said, today.Floating()); ok {
		return p.onDays(first, n, rest)
	}
	return p.away(said, now)
}

// named finds the day, week or month that the words begin with: its first day
// and how many there are.
func named(said []string, today time.Time) (first time.Time, n int, rest []string, ok bool) {
	monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
	if to, ok := map[string]int{"today": 0, "tomorrow": 1, "yesterday": -1}[said[0]]; ok {
		return today.AddDate(0, 0, to), 1, said[1:], true
	}
	if day, ok := weekday(said[0]); ok {
		ahead := (int(day)-int(today.Weekday())+6)%7 + 1
		return today.AddDate(0, 0, ahead), 1, said[1:], true
	}
	by, ok := map[string]int{"this": 0, "next": 1, "last": -1}[said[0]]
	if !ok || len(said) < 2 {
		return today, 0, said, false
	}
	day, isDay := weekday(said[1])
	switch {
	case isDay:
		return monday.AddDate(0, 0, 7*by+(int(day)+6)%7), 1, said[2:], true
	case said[1] == "week":
		return monday.AddDate(0, 0, 7*by), 7, said[2:], true
	case said[1] == "month":
		first = time.Date(today.Year(), today.Month()+time.Month(by), 1, 0, 0, 0, 0, time.UTC)
		return first, first.AddDate(0, 1, -1).Day(), said[2:], true
	}
	return today, 0, said, false
}

// weekday reads the name of a day, or three letters of it and up.
func weekday(word string) (time.Weekday, bool) {
	for day := time.Sunday; day <= time.Saturday; day++ {
		if len(word) >= 3 && strings.HasPrefix(strings.ToLower(day.String()), word) {
			return day, true
		}
	}
	return 0, false
}

// onDays puts the days that were named into the zone, or the time of day that
// the rest gives.
func (p *parser) onDays(first time.Time, n int, rest []string) (Moment, error) {
	w := WallOf(first)
	if err := p.inYears(w); err != nil {
		return Moment{}, err
	}
	if len(rest) == 0 {
		return days(w, n, p.at.Zone)
	}
	if n > 1 || !timeOfDay(rest, &w) {
		return Moment{}, p.refuse("is no time")
	}
	return moment(w, p.at.Zone)
}

// timeOfDay reads "15:00", "9am", "9:30 pm" or "noon", "at" before it or not.
func timeOfDay(said []string, w *Wall) bool {
	if said[0] == "at" {
		said = said[1:]
	}
	text := strings.Join(said, "")
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

// away reads a time that is some hours or days from now.
func (p *parser) away(said []string, now time.Time) (Moment, error) {
	forward := 1
	switch {
	case said[0] == "in":
		said = said[1:]
	case said[len(said)-1] == "ago":
		said, forward = said[:len(said)-1], -1
	case strings.HasPrefix(said[0], "-"):
		said[0], forward = said[0][1:], -1
	}
	var days int
	var exact time.Duration
	found, rest := amounts(strings.Join(said, " "))
	for _, a := range found {
		switch {
		case a.unit < day:
			exact += a.length()
		case a.count != float64(int(a.count)):
			return Moment{}, p.refuse("has a part of a day")
		default:
			days += int(a.count) * int(a.unit/day)
		}
	}
	w := WallOf(now)
	date := w.Floating().AddDate(0, 0, forward*days)
	if rest != "" && (exact != 0 || !timeOfDay(strings.Fields(rest), &w)) || len(found) == 0 {
		return Moment{}, p.refuse("is no time")
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
		m.Time = now // also where clocks show it for the second time
	}
	t := m.Time.Add(time.Duration(forward) * exact)
	if err := p.inYears(WallOf(t)); err != nil {
		return Moment{}, err
	}
	return Moment{Time: t, End: t, Zone: p.at.Zone}, nil
}
