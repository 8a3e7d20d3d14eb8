package recurrence

import (
	"slices"
	"time"

	"kota/bundles/internal/timeparse"
)

// SplitSeries are the recurrences of a series that is split in two.
type SplitSeries struct {
	First  bool     // the split is at the first instance: change the whole series instead; the other fields are empty
	Before []string // the lines of the old series, which now ends before the split; empty for a single event
	After  []string // the lines of the series that starts at the split; empty for a single event
	Start  Start    // the start of that series: see [Set.StartOutsideGap]
}

// Split divides the series before an instance, for a change to it and all later
// ones. Together the halves have the instances of the whole. A rule that gives
// instances after the split gets an UNTIL right before it in the first half. The
// second half gets the rest of a COUNT, in which excluded instances count too.
// Every RDATE and EXDATE stays on its side of the split. Split returns a
// *[RuleError] if there is no instance at that moment, or if no rule can express
// the rest of the series. It also returns one if an RDATE is before the start of
// the series, and the split is not after that start.
func (s *Set) Split(at time.Time) (SplitSeries, error) {
	if earlier, _ := s.Between(time.Time{}, s.start.Time, 1); len(earlier) > 0 && !at.After(s.start.Time) {
		return SplitSeries{}, &RuleError{Why: "has an RDATE before its start: split it after its start, or change the whole series"}
	}
	if first, ok := s.First(); ok && first.Equal(at) {
		return SplitSeries{First: true}, nil
	}
	if found, _ := s.Between(at, at.Add(time.Second), 1); len(found) == 0 || !found[0].Equal(at) {
		return SplitSeries{}, &RuleError{Why: "has no instance at " + timeparse.Stamp(at.In(s.start.Zone)) + ": give the start of one"}
	}
	before := &Set{start: s.start, wall: s.wall, exrules: s.exrules}
	after := s.from(at)
	for _, r := range s.rules {
		if err := s.splitRule(r, before, after); err != nil {
			return SplitSeries{}, err
		}
	}
	for _, r := range s.exrules {
		if _, _, rest := s.countBefore(r, after); rest {
			return SplitSeries{}, &RuleError{Why: "has an EXRULE, which cannot be split: give the new rules of both halves"}
		}
	}
	split := after.first()
	isBefore := func(t time.Time) bool { return t.Before(split) }
	isAfter := func(t time.Time) bool { return t.After(split) }
	before.rdates, after.rdates = filterTimes(s.rdates, isBefore), filterTimes(s.rdates, isAfter)
	before.exdates, after.exdates = filterTimes(s.exdates, isBefore), filterTimes(s.exdates, isAfter)
	after, err := after.StartOutsideGap()
	if err != nil {
		return SplitSeries{}, err
	}
	return SplitSeries{Before: before.linesIfRepeating(), After: after.linesIfRepeating(), Start: after.start}, nil
}

// from returns the set that begins at one instance, without rules.
func (s *Set) from(at time.Time) *Set {
	start := Start{Time: at.In(s.start.Zone), Zone: s.start.Zone, Date: s.start.Date}
	wall := s.LocalTimeOf(at)
	if !start.Date && !wall.Equal(s.localTime(at)) {
		start.Skipped = wall
	}
	return &Set{start: start, wall: wall}
}

// splitRule divides the instances of the rule between the sets before and after
// the split.
func (s *Set) splitRule(r rule, before, after *Set) error {
	used, meets, rest := s.countBefore(r, after)
	if !rest {
		before.rules = append(before.rules, r)
		return nil
	}
	if !meets {
		return &RuleError{"RRULE:" + r.text(s.start.Date), "has no instance at the split, where the second half would start: split at another instance"}
	}
	ended, remaining := r, r
	ended.count = 0
	if ended.until = after.start.Time.Add(-time.Second).UTC(); s.start.Date {
		ended.until = after.wall.AddDate(0, 0, -1)
	}
	if r.count > 0 {
		remaining.count = r.count - used
	}
	before.rules = append(before.rules, ended)
	after.rules = append(after.rules, remaining)
	return nil
}

// countBefore counts the times that the rule gives before the start of the
// second half. meets is true if the rule gives that start at the same local
// time. rest is true if the rule gives anything from there on.
func (s *Set) countBefore(r rule, after *Set) (used int, meets, rest bool) {
	next := s.occurrences(r, s.wall)
	for {
		o, ok := next()
		switch {
		case !ok || o.wall.After(after.wall.Add(2*maxUTCOffset)):
			return used, meets, rest || ok
		case o.wall.Before(after.wall) != o.at.Before(after.start.Time):
			return used, false, true // in a clock gap: neither half would have it, or both would
		case o.at.Before(after.start.Time):
			used++
		default:
			rest = true
			meets = meets || o.wall.Equal(after.wall)
		}
	}
}

func filterTimes(times []time.Time, wanted func(time.Time) bool) []time.Time {
	return slices.DeleteFunc(slices.Clone(times), func(t time.Time) bool { return !wanted(t) })
}

// linesIfRepeating returns the lines of the set, or nil if the set has only its
// start.
func (s *Set) linesIfRepeating() []string {
	if len(s.rules)+len(s.rdates) == 0 {
		return nil
	}
	return s.Lines()
}
