// Package recurrence reads, expands and rewrites the recurrence of a series of
// events, as Google keeps it: lines of RFC 5545 (RRULE, EXRULE, RDATE and
// EXDATE) without the start, which the event has.
//
// A rule counts what clocks show (RFC 5545 section 3.3.10): a daily event at
// 09:00 is at 09:00 all year. Where clocks skip or repeat a time section 3.3.5
// holds: one that is skipped is read by the offset from before the gap and
// counts, one that is repeated is the first. Google does the same, and two
// more things on which the RFC is silent: the start of a series is an instance
// even where its rule does not make it, COUNT then counts the others alone, and
// a DATE in the EXDATE of a series with times excludes nothing.
//
// The calendar of a rule is that of github.com/teambition/rrule-go, kept off
// the rules on which it goes wrong.
package recurrence

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kota/bundles/internal/timeparse"
)

// What is read at most. A series that people keep has one rule and some dozens
// of exclusions.
const (
	MaxLines = 1000
	MaxBytes = 64 << 10 // of all lines together
	MaxRule  = 1 << 10  // bytes of one RRULE or EXRULE
	MaxRules = 5        // RRULE and EXRULE lines
	MaxCount = 10_000   // the COUNT of a rule; Google's own interface offers less than a thousand
)

// A Start is when the first event of a series begins.
type Start struct {
	Time time.Time
	Zone *time.Location // whose clocks the rule counts; nil is UTC
	Date bool           // an all-day event, on the day that Time is in Zone

	// Skipped is the time, as [timeparse.Wall.Floating], that the rule counts from
	// where clocks skip it on the first day. Time is then where it is read.
	Skipped time.Time
}

// A Set is the recurrence of a series. It is never changed.
type Set struct {
	start   Start
	wall    time.Time // what clocks show at the start, as timeparse.Wall.Floating
	rules   []rule
	exrules []rule
	rdates  []time.Time // as occurrence.wall for whole days, as moments else
	exdates []time.Time
	notes   []string
}

// A RuleError says why lines are no recurrence that can be read.
type RuleError struct {
	Line string // the line that is wrong; empty where it is all of them
	Why  string
}

func (e *RuleError) Error() string {
	if e.Line == "" {
		return "the recurrence " + e.Why
	}
	return brief(e.Line) + " " + e.Why
}

// brief quotes a line so that it cannot break the one it stands in.
func brief(line string) string {
	const most = 80
	for i := range line {
		if i > most {
			line = line[:i] + "…"
			break
		}
	}
	return fmt.Sprintf("%+q", line)
}

// Parse reads the lines of a recurrence. A rule may come without "RRULE:"
// before it. Every error is a *[RuleError], or a *[timeparse.ZoneError] for a zone
// that is none: for lines that are not as RFC 5545 has them, that repeat more
// often than daily, that are longer than the limits of this package or never
// happen before the year 2200. What was read in another way than it is written
// is said by [Set.Notes].
func Parse(lines []string, start Start) (*Set, error) {
	s, err := at(start)
	if err != nil {
		return nil, err
	}
	total := 0
	for _, line := range lines {
		total += len(line)
	}
	switch {
	case len(lines) == 0:
		return nil, &RuleError{Why: `is empty: give a rule such as "RRULE:FREQ=WEEKLY;BYDAY=TU"`}
	case len(lines) > MaxLines || total > MaxBytes:
		return nil, &RuleError{Why: "is longer than 64 kB or 1000 lines"}
	}
	for _, line := range lines {
		if err := s.add(line); err != nil {
			return nil, err
		}
	}
	if len(s.rules) == 0 && len(s.rdates) == 0 {
		return nil, &RuleError{Why: `has no RRULE and no RDATE: give a rule such as "RRULE:FREQ=WEEKLY;BYDAY=TU"`}
	}
	return s, nil
}

// at returns the set of the start alone.
func at(start Start) (*Set, error) {
	if start.Zone == nil {
		start.Zone = time.UTC
	}
	if !start.Skipped.IsZero() {
		start.Time = timeparse.Place(start.Skipped, start.Zone).Time
	}
	start.Time = start.Time.In(start.Zone).Truncate(time.Second)
	wall := timeparse.WallOf(start.Time)
	if wall.Year < timeparse.FirstYear || wall.Year > timeparse.LastYear {
		return nil, &RuleError{Why: "starts outside the years 1900 to 2200"}
	}
	if start.Date {
		start.Time = timeparse.DayStart(wall, start.Zone)
		wall.Hour, wall.Minute, wall.Second = 0, 0, 0
	}
	if !start.Skipped.IsZero() {
		return &Set{start: start, wall: start.Skipped}, nil
	}
	return &Set{start: start, wall: wall.Floating()}, nil
}

// add reads one line.
func (s *Set) add(line string) error {
	refuse := func(why string) error { return &RuleError{line, why} }
	if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r > '~' }) {
		return refuse("holds a line end or another character that no rule has: give one property per element")
	}
	head, value, found := strings.Cut(line, ":")
	if !found && len(line) >= 5 && strings.EqualFold(line[:5], "FREQ=") {
		head, value = "RRULE", line
	}
	name, params, _ := strings.Cut(head, ";")
	switch name = strings.ToUpper(name); name {
	case "RRULE", "EXRULE":
		switch {
		case params != "":
			return refuse("has parameters, which a rule has none of")
		case len(line) > MaxRule:
			return refuse("is longer than 1 kB")
		case len(s.rules)+len(s.exrules) == MaxRules:
			return refuse("is one rule more than the 5 that are read")
		}
		r, err := s.readRule(value)
		if err != nil {
			return refuse(err.Error())
		}
		if name == "RRULE" {
			s.rules = append(s.rules, r)
		} else {
			s.exrules = append(s.exrules, r)
		}
		return nil
	case "RDATE", "EXDATE":
		days, err := s.readDates(name, params, value)
		if zone := (*timeparse.ZoneError)(nil); errors.As(err, &zone) {
			return err
		} else if err != nil {
			return refuse(err.Error())
		}
		if name == "RDATE" {
			s.rdates = ordered(append(s.rdates, days...))
		} else {
			s.exdates = ordered(append(s.exdates, days...))
		}
		return nil
	}
	return refuse("is none of RRULE, EXRULE, RDATE and EXDATE; the start and the zone are those of the event")
}

func ordered(times []time.Time) []time.Time {
	slices.SortFunc(times, time.Time.Compare)
	return slices.CompactFunc(times, time.Time.Equal)
}

// Notes says what was read in another way than it is written, such as an UNTIL
// without a time of day. It is empty for what RFC 5545 calls right.
func (s *Set) Notes() []string { return slices.Clone(s.notes) }

// Lines returns the recurrence as it is sent: capital letters, UNTIL in the
// form that goes with the start (RFC 5545 section 3.3.10), each date once and
// in order. Parse reads it as the same set.
func (s *Set) Lines() []string {
	lines := []string{}
	for _, r := range s.rules {
		lines = append(lines, "RRULE:"+r.text(s.start.Date))
	}
	for _, r := range s.exrules {
		lines = append(lines, "EXRULE:"+r.text(s.start.Date))
	}
	lines = append(lines, s.dateLines("RDATE", s.rdates)...)
	return append(lines, s.dateLines("EXDATE", s.exdates)...)
}

// number reads an integer of few digits, with a sign or not.
func number(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && len(text) <= 5
}
