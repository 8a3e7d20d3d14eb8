package rrule

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Recurrence is the meaning of an event's recurrence lines: RRULE, EXRULE,
// RDATE and EXDATE (RFC 5545 3.8.5). The code under test uses a library for
// recurrences. Therefore the fake uses no library: it checks every single day
// against all parts of a rule.
type Recurrence struct {
	start   Start
	rules   []*rrule
	exrules []*rrule
	rdates  []time.Time // RDATE, as instants
	exdates []time.Time // EXDATE, as instants
}

// Start is where a series starts: a local time in a zone, or a day. Local times
// are stored as UTC times with the same reading.
type Start struct {
	Local time.Time      // midnight for a day
	Zone  *time.Location // nil for a day
	At    time.Time      // the instant itself: the clock may show its time twice
}

// StartAt returns the start of a timed series in the zone.
func StartAt(at time.Time, zone *time.Location) Start {
	return Start{localTime(at, zone), zone, at}
}

// StartOn returns the start of an all-day series.
func StartOn(day time.Time) Start { return Start{Local: midnight(day), At: midnight(day)} }

// instant returns when the series' clock shows the time. Midnight in UTC stands
// for a day.
func (d Start) instant(wall time.Time) time.Time {
	switch {
	case wall.Equal(d.Local):
		return d.At
	case d.Zone == nil:
		return wall
	}
	return instantOf(wall, d.Zone)
}

// ErrRule is wrapped by the errors of Parse.
var ErrRule = errors.New("invalid recurrence rule")

// Parse reads the lines. It returns an error that wraps ErrRule for lines that
// Google refuses. If Google's rules are unknown, it refuses what RFC 5545
// forbids.
func Parse(lines []string, start Start) (*Recurrence, error) {
	r := &Recurrence{start: start}
	for _, line := range lines {
		if err := r.add(line); err != nil {
			return nil, fmt.Errorf("%w: %q: %w", ErrRule, line, err)
		}
	}
	if len(r.rules) == 0 && len(r.rdates) == 0 {
		return nil, fmt.Errorf("%w: neither RRULE nor RDATE", ErrRule)
	}
	return r, nil
}

func (r *Recurrence) add(line string) error {
	if strings.ContainsAny(line, "\r\n") {
		return errors.New("it is more than one line")
	}
	head, value, found := strings.Cut(line, ":")
	if !found {
		return errors.New("it has no colon")
	}
	name, parameters, _ := strings.Cut(head, ";")
	var err error
	switch strings.ToUpper(name) {
	case "RRULE":
		r.rules, err = addRule(r.rules, value, parameters, r.start)
	case "EXRULE":
		r.exrules, err = addRule(r.exrules, value, parameters, r.start)
	case "RDATE":
		r.rdates, err = r.addDates(r.rdates, value, parameters)
	case "EXDATE":
		r.exdates, err = r.addDates(r.exdates, value, parameters)
	default:
		err = errors.New("it is none of RRULE, EXRULE, RDATE and EXDATE")
	}
	return err
}

func addRule(rules []*rrule, value, parameters string, start Start) ([]*rrule, error) {
	if parameters != "" {
		return nil, errors.New("a rule takes no parameters")
	}
	rule, err := parseRule(value, start)
	return append(rules, rule), err
}

// Starts returns the starts of the instances before end, in order and without
// duplicates. DTSTART is an instance whether or not the rules contain it
// (3.8.5.3: it "defines the first instance in the recurrence set"), unless it
// is excluded.
func (r *Recurrence) Starts(end time.Time) []time.Time {
	starts := append([]time.Time{r.start.At}, r.rdates...)
	for _, rule := range r.rules {
		starts = append(starts, rule.starts(end)...)
	}
	excluded := slices.Clone(r.exdates)
	for _, rule := range r.exrules {
		excluded = append(excluded, rule.matches(end)...)
	}
	slices.SortFunc(starts, time.Time.Compare)
	starts = slices.CompactFunc(starts, time.Time.Equal)
	return slices.DeleteFunc(starts, func(at time.Time) bool {
		return !at.Before(end) || slices.ContainsFunc(excluded, at.Equal)
	})
}
