package googletest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A recurrence is the meaning of an event's recurrence lines: RRULE, EXRULE,
// RDATE and EXDATE (RFC 5545 3.8.5). The fake is the oracle of code that uses a
// library for it, and therefore uses none: it walks day by day and asks every
// part of a rule whether it takes the day.
type recurrence struct {
	start   dtstart
	rules   []*rrule
	exrules []*rrule
	dates   []time.Time // RDATE, as instants
	without []time.Time // EXDATE, as instants
}

// A dtstart is where a series starts: a time of the wall clock in a zone, or a
// day. Wall-clock times are kept as times of UTC that read the same.
type dtstart struct {
	wall time.Time      // midnight for a day
	zone *time.Location // nil for a day
	at   time.Time      // the instant itself: the clock may show its time twice
}

// startAt is the start of a timed series in the zone.
func startAt(at time.Time, zone *time.Location) dtstart {
	return dtstart{wallClock(at, zone), zone, at}
}

// startOn is the start of an all-day series.
func startOn(day time.Time) dtstart { return dtstart{wall: midnight(day), at: midnight(day)} }

// instant is when the wall clock of the series shows the time. Of a day it is
// midnight in UTC, which stands for the day.
func (d dtstart) instant(wall time.Time) time.Time {
	switch {
	case wall.Equal(d.wall):
		return d.at
	case d.zone == nil:
		return wall
	}
	return instantOf(wall, d.zone)
}

var errRule = errors.New("invalid recurrence rule")

// parseRecurrence reads the lines. It returns an error that wraps errRule for
// what Google refuses; where Google does not say what it refuses, that is what
// RFC 5545 forbids.
func parseRecurrence(lines []string, start dtstart) (*recurrence, error) {
	r := &recurrence{start: start}
	for _, line := range lines {
		if err := r.add(line); err != nil {
			return nil, fmt.Errorf("%w: %q: %w", errRule, line, err)
		}
	}
	if len(r.rules) == 0 && len(r.dates) == 0 {
		return nil, fmt.Errorf("%w: neither RRULE nor RDATE", errRule)
	}
	return r, nil
}

func (r *recurrence) add(line string) error {
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
		r.dates, err = r.addDates(r.dates, value, parameters)
	case "EXDATE":
		r.without, err = r.addDates(r.without, value, parameters)
	default:
		err = errors.New("it is none of RRULE, EXRULE, RDATE and EXDATE")
	}
	return err
}

func addRule(rules []*rrule, value, parameters string, start dtstart) ([]*rrule, error) {
	if parameters != "" {
		return nil, errors.New("a rule takes no parameters")
	}
	rule, err := parseRule(value, start)
	return append(rules, rule), err
}

// starts returns when the instances start that start before the time, in order
// and none twice. DTSTART is an instance whether or not the rules yield it
// (3.8.5.3: it "defines the first instance in the recurrence set"), unless it
// is excluded.
func (r *recurrence) starts(before time.Time) []time.Time {
	all := append([]time.Time{r.start.at}, r.dates...)
	for _, rule := range r.rules {
		all = append(all, rule.starts(before)...)
	}
	without := slices.Clone(r.without)
	for _, rule := range r.exrules {
		without = append(without, rule.matches(before)...)
	}
	slices.SortFunc(all, time.Time.Compare)
	all = slices.CompactFunc(all, time.Time.Equal)
	return slices.DeleteFunc(all, func(at time.Time) bool {
		return !at.Before(before) || slices.ContainsFunc(without, at.Equal)
	})
}
