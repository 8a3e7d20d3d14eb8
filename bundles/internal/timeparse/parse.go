package timeparse

import (
	"strconv"
	"strings"
	"time"
)

const notATime = "is not a time"

const maxText = 100 // bytes of a time; the longest in use has about 70

const acceptedForms = ": give " + Accepted

// Accepted lists the forms of a time by example.
const Accepted = `a time such as "2026-11-24T15:00" or "2026-11-24T15:00+01:00", a date such as "2026-11-24", or words such as "tomorrow 15:00", "friday 9am" or "in 2 hours"`

// Parse parses a time:
//
//   - RFC 3339 with an offset, "2026-11-24T15:00:00+01:00" or "…Z". The offset
//     alone determines the moment, whatever the zone.
//   - the same without an offset, with a space for the T or without seconds:
//     local time in the zone, never UTC.
//   - either with a zone after it (RFC 9557), "2026-11-24T15:00[Europe/Amsterdam]".
//     An offset that the zone does not have at that time is refused.
//   - a date, "2026-11-24". A zone may follow it.
//   - words for a day, ignoring case: today, tomorrow, yesterday, day after
//     tomorrow, day before yesterday; monday (the first after today); this, next
//     or last monday (of the current, next or last week, which begins on Monday).
//     A time may follow: "tomorrow 15:00", "friday at 9am", "today noon".
//   - words for several days: this, next or last week, weekend or month.
//   - words for a last day: end of week, weekend, month or year.
//   - "24 december", "dec 24" and "november", with a year or else the next.
//   - now, and durations: "in 2 hours", "90 minutes ago", "in 3 days 9:00", "7d",
//     "two weeks", "in a month". Days and weeks are calendar days: the clock then
//     shows the same time.
//
// Parts of a second are dropped. Years are 1900 to 2200. The error is a
// *[FormError] for a text that is not a time, or has another year. It is a
// *[GapError] for a time that clocks skip, and a *[ZoneError] for a name that
// is not a zone.
func Parse(text string, at Context) (Moment, error) {
	if len(text) > maxText {
		return Moment{}, &FormError{text, notATime + acceptedForms}
	}
	p := parser{text: text, rest: strings.TrimSpace(text), at: at}
	if p.rest == "" {
		return Moment{}, p.refuse(notATime)
	}
	if len(p.rest) > 4 && isDigit(p.rest[0]) && p.rest[4] == '-' {
		return p.calendar()
	}
	return p.relative()
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

type parser struct {
	text string // the whole text
	rest string // the unread rest
	at   Context
}

func (p *parser) refuse(why string) error { return &FormError{p.text, why + acceptedForms} }

// calendar parses a date, an optional time of day, an offset and a zone.
func (p *parser) calendar() (Moment, error) {
	w, err := p.date()
	if err != nil {
		return Moment{}, err
	}
	if p.rest == "" {
		return days(w, 1, p.at.Zone)
	}
	timed := p.skip("T") || p.skip("t") || p.skip(" ")
	if timed {
		p.rest = strings.TrimLeft(p.rest, " ")
		if err := p.clock(&w); err != nil {
			return Moment{}, err
		}
	}
	offset, fixed, err := p.offset(timed)
	if err != nil {
		return Moment{}, err
	}
	named := p.rest != ""
	zone, err := p.zone()
	if err != nil {
		return Moment{}, err
	}
	switch {
	case !timed:
		return days(w, 1, zone)
	case fixed == floating:
		return moment(w, zone)
	}
	t := w.Floating().Add(-offset).In(zone)
	if _, shown := t.Zone(); fixed == numeric && named && time.Duration(shown)*time.Second != offset {
		return Moment{}, p.refuse("has an offset that " + zone.String() + " does not have then: omit one of the two")
	}
	return Moment{Time: t, End: t, Zone: zone}, nil
}

func (p *parser) skip(prefix string) bool {
	rest, ok := strings.CutPrefix(p.rest, prefix)
	p.rest = rest
	return ok
}

// number parses exactly count digits.
func (p *parser) number(count int) (int, bool) {
	if len(p.rest) < count {
		return 0, false
	}
	for i := range count {
		if !isDigit(p.rest[i]) {
			return 0, false
		}
	}
	n, err := strconv.Atoi(p.rest[:count])
	p.rest = p.rest[count:]
	return n, err == nil
}

func (p *parser) date() (LocalTime, error) {
	year, ok1 := p.number(4)
	dash1 := p.skip("-")
	month, ok2 := p.number(2)
	dash2 := p.skip("-")
	day, ok3 := p.number(2)
	if !ok1 || !dash1 || !ok2 || !dash2 || !ok3 {
		return LocalTime{}, p.refuse(notATime)
	}
	w := LocalTime{Year: year, Month: time.Month(month), Day: day}
	if w.Floating().Day() != day || month < 1 || month > 12 {
		return LocalTime{}, p.refuse("is not a day of the calendar")
	}
	return w, p.inYears(w)
}

func (p *parser) inYears(w LocalTime) error {
	if w.Year < FirstYear || w.Year > LastYear {
		return &FormError{p.text, "is out of range: give a year from 1900 to 2200"}
	}
	return nil
}

// clock parses a time of day on the 24-hour clock.
func (p *parser) clock(w *LocalTime) error {
	hour, ok := p.number(2)
	colon := p.skip(":")
	minute, ok2 := p.number(2)
	if !ok || !ok2 || !colon {
		return p.refuse("has no time of day such as 15:00")
	}
	second := 0
	if p.skip(":") {
		if second, ok = p.number(2); !ok {
			return p.refuse("has no time of day such as 15:00:00")
		}
		if p.skip(".") {
			digits := len(p.rest) - len(strings.TrimLeft(p.rest, "0123456789"))
			if digits == 0 {
				return p.refuse("has no time of day such as 15:00:00")
			}
			p.rest = p.rest[digits:]
		}
	}
	if hour > 23 || minute > 59 || second > 59 {
		return p.refuse("has a time of day that does not exist")
	}
	w.Hour, w.Minute, w.Second = hour, minute, second
	return nil
}

// The forms of an offset.
const (
	floating = iota // no offset
	numeric         // such as +01:00
	zulu            // Z or -00:00, which say nothing about the zone (RFC 9557 section 2.2)
)

// offset parses an optional offset from UTC, and returns it with its form.
func (p *parser) offset(timed bool) (time.Duration, int, error) {
	sign := time.Duration(1)
	switch {
	case !timed || p.rest == "" || p.rest[0] == '[':
		return 0, floating, nil
	case p.skip("Z"), p.skip("z"):
		return 0, zulu, nil
	case p.skip("+"):
	case p.skip("-"):
		sign = -1
	default:
		return 0, 0, p.refuse(notATime)
	}
	hours, ok := p.number(2)
	p.skip(":")
	minutes, ok2 := p.number(2)
	if !ok || !ok2 || hours > 23 || minutes > 59 {
		return 0, 0, p.refuse("has no offset such as +01:00")
	}
	offset := sign * (time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute)
	if offset == 0 && sign < 0 {
		return 0, zulu, nil
	}
	return offset, numeric, nil
}

// zone parses the zone at the end of the text. Without one, it returns the zone
// of the context.
func (p *parser) zone() (*time.Location, error) {
	if p.rest == "" {
		return p.at.Zone, nil
	}
	name, closed := strings.CutSuffix(p.rest, "]")
	name, opened := strings.CutPrefix(name, "[")
	if !closed || !opened {
		return nil, p.refuse(notATime)
	}
	return Zone(strings.TrimPrefix(name, "!"))
}
