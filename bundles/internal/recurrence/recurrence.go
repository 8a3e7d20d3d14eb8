// Package recurrence reads, expands and rewrites the recurrence of a series of
// events, as Google stores it. It is a list of lines of RFC 5545: RRULE, EXRULE,
// RDATE and EXDATE. The start is not in these lines, but in the event.
//
// A rule counts local time (RFC 5545 section 3.3.10): a daily event at 09:00 is
// at 09:00 all year. Section 3.3.5 applies if clocks skip or repeat a time. A
// skipped time is read with the offset before the gap, and counts as an
// instance. A repeated time means the first.
//
// Google does the same, and adds two rules where the RFC is silent. The start
// of a series is an instance even if its rule does not give it; COUNT then
// counts only the others. A DATE in the EXDATE of a series with times excludes
// nothing.
//
// The expansion uses github.com/teambition/rrule-go, and corrects the rules
// that it expands wrongly.
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

// Limits on the input. A real series has one rule and a few dozen exclusions.
const (
	MaxLines = 1000
	MaxBytes = 64 << 10 // of all lines together
	MaxRule  = 1 << 10  // bytes of one RRULE or EXRULE
	MaxRules = 5        // RRULE and EXRULE lines
	MaxCount = 10_000   // the COUNT of a rule; Google's interface offers less than a thousand
)

// Start is when the first event of a series begins.
type Start struct {
	Time time.Time
	Zone *time.Location // the zone of the rule's local times; nil means UTC
	Date bool           // an all-day event, on the day of Time in Zone

	// Skipped is the local time of the start, as
	// [timeparse.LocalTime.Floating], if clocks skip it on the first day. The
	// rule counts from it, and Time is the moment that replaces it. Skipped is
	// zero otherwise.
	Skipped time.Time
}

// Set is the recurrence of a series. It is immutable.
type Set struct {
	start   Start
	wall    time.Time // the local time of the start, as timeparse.LocalTime.Floating
	rules   []rule
	exrules []rule
	rdates  []time.Time // like occurrence.wall for whole days, otherwise moments
	exdates []time.Time // like rdates
	notes   []string
}

// RuleError says why the lines of a recurrence cannot be read, moved or split.
type RuleError struct {
	Line string // the wrong line; "" if the error is about all lines
	Why  string
}

func (e *RuleError) Error() string {
	if e.Line == "" {
		return "the recurrence " + e.Why
	}
	return brief(e.Line) + " " + e.Why
}

// brief quotes and shortens a line, so that an error stays on one line.
func brief(line string) string {
	const maxBytes = 80
	for i := range line {
		if i > maxBytes {
			line = line[:i] + "…"
			break
		}
	}
	return fmt.Sprintf("%+q", line)
}

// Parse reads the lines of a recurrence. A line may begin with "FREQ=" instead
// of "RRULE:FREQ=". Every error is a *[RuleError], or a *[timeparse.ZoneError]
// for an invalid zone. Parse refuses lines that violate RFC 5545 or exceed the
// limits of this package. It reads a few harmless violations as meant, and
// [Set.Notes] names these. It refuses a rule with a FREQ below DAILY, or with
// both BYSETPOS and BYWEEKNO. It also refuses rules that together can give more
// than 24 times a day, and a rule that gives no time until the end of 2200.
func Parse(lines []string, start Start) (*Set, error) {
	s, err := startOnly(start)
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

// startOnly returns the set whose only instance is the start.
func startOnly(start Start) (*Set, error) {
	if start.Zone == nil {
		start.Zone = time.UTC
	}
	if !start.Skipped.IsZero() {
		start.Time = timeparse.Resolve(start.Skipped, start.Zone).Time
	}
	start.Time = start.Time.In(start.Zone).Truncate(time.Second)
	wall := timeparse.LocalTimeOf(start.Time)
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
		return refuse("has a line end or another invalid character: give one property per element")
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
			return refuse("has parameters, which a rule cannot have")
		case len(line) > MaxRule:
			return refuse("is longer than 1 kB")
		case len(s.rules)+len(s.exrules) == MaxRules:
			return refuse("exceeds the limit of 5 rules")
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
	return refuse("is not an RRULE, EXRULE, RDATE or EXDATE; start and time zone are taken from the event")
}

func ordered(times []time.Time) []time.Time {
	slices.SortFunc(times, time.Time.Compare)
	return slices.CompactFunc(times, time.Time.Equal)
}

// Notes says what was read in another way than it is written, such as an UNTIL
// without a time of day. It is empty for lines that conform to RFC 5545.
func (s *Set) Notes() []string { return slices.Clone(s.notes) }

// Lines returns the recurrence in the form for Google: capital letters, UNTIL
// in the form that matches the start (RFC 5545 section 3.3.10), each date once
// and in order. Parse reads these lines as the same set.
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

// number reads an integer of at most five characters, including an optional
// sign.
func number(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && len(text) <= 5
}
