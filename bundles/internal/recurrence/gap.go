package recurrence

import (
	"slices"
	"time"

	"github.com/teambition/rrule-go"

	"kota/bundles/internal/timeparse"
)

// Limits of StartOutsideGap: how many earlier periods of the rule it tries as
// the start, and how many instances it compares.
const (
	periodsBack    = 60
	instancesAhead = 100
)

// StartOutsideGap returns the same recurrence with a start that clocks show. A
// calendar stores a start as a moment, which cannot express a series whose time
// is skipped on its first day. The result starts at the moment that replaces
// the skipped time. If that gives other instances, the result starts on an
// earlier date of the rule and excludes that date. It returns s itself if
// clocks show its start, and a *[RuleError] if it finds no other start that
// gives the same instances.
func (s *Set) StartOutsideGap() (*Set, error) {
	if s.start.Skipped.IsZero() {
		return s, nil
	}
	resolved := *s
	resolved.start.Skipped, resolved.wall = time.Time{}, s.localTime(s.start.Time)
	if s.sameInstances(&resolved) {
		return &resolved, nil
	}
	if len(s.rules) == 1 && len(s.exrules) == 0 {
		for periods := 1; periods <= periodsBack; periods++ {
			if earlier, ok := s.startEarlier(periods); ok && s.sameInstances(earlier) {
				return earlier, nil
			}
		}
	}
	return nil, &RuleError{Why: "cannot start at a time that clocks skip that day: give another time, or start on another day"}
}

// Start returns when the first event of the series begins.
func (s *Set) Start() Start { return s.start }

// startEarlier returns the set with an earlier start, and excludes that start.
// It lets the rule begin the given number of intervals earlier. The new start
// is the last time before the old one that the rule then gives and clocks show.
// It reports false if there is none.
func (s *Set) startEarlier(periods int) (*Set, bool) {
	r := s.rules[0]
	from := r.periodBefore(r.period(s.wall), periods*r.interval)
	if from.Year() < timeparse.FirstYear {
		return nil, false
	}
	var last time.Time
	endless := r.withDefaults(s.wall)
	endless.count, endless.until = 0, time.Time{}
	next := (&Set{start: s.start, wall: from}).localTimes(endless, from)
	for wall, ok := next(); ok && wall.Before(s.wall); wall, ok = next() {
		if !timeparse.Resolve(wall, s.start.Zone).IsSkipped() {
			last = wall
		}
	}
	if last.IsZero() {
		return nil, false
	}
	if r.count > 0 {
		r.count++
	}
	at := timeparse.Resolve(last, s.start.Zone).Time
	return &Set{
		start: Start{Time: at, Zone: s.start.Zone}, wall: last, rules: []rule{r}, rdates: s.rdates,
		exdates: ordered(append(slices.Clone(s.exdates), at.UTC())), notes: s.notes,
	}, true
}

// periodBefore returns the beginning of the period that is n periods before the
// given one.
func (r rule) periodBefore(period time.Time, n int) time.Time {
	switch {
	case r.freq == rrule.YEARLY:
		return period.AddDate(-n, 0, 0)
	case r.freq == rrule.MONTHLY:
		return period.AddDate(0, -n, 0)
	case r.freq == rrule.WEEKLY:
		n *= 7
	}
	return period.AddDate(0, 0, -n)
}

// sameInstances reports whether the first instancesAhead instances of two sets
// are the same.
func (s *Set) sameInstances(other *Set) bool {
	end := time.Date(timeparse.LastYear, 12, 31, 0, 0, 0, 0, time.UTC)
	from := s.start.Time
	if other.start.Time.Before(from) {
		from = other.start.Time
	}
	instances, more := s.Between(from, end, instancesAhead)
	otherInstances, otherMore := other.Between(from, end, instancesAhead)
	return more == otherMore && slices.EqualFunc(instances, otherInstances, time.Time.Equal)
}

// LocalTimeOf returns the local time, as [timeparse.LocalTime.Floating], from which the
// set makes the instance at that moment. If clocks skip it, LocalTimeOf returns the
// skipped time.
func (s *Set) LocalTimeOf(at time.Time) time.Time {
	shown := s.localTime(at)
	if s.start.Date {
		return shown.Truncate(24 * time.Hour)
	}
	wall := shown
	if at.Equal(s.start.Time) {
		wall = s.wall
	}
	for _, r := range s.rules {
		next := s.occurrences(r, shown.Add(-2*maxUTCOffset))
		for o, ok := next(); ok && !o.wall.After(shown); o, ok = next() {
			switch {
			case !o.at.Equal(at):
			case o.wall.Equal(shown):
				return shown
			default:
				wall = o.wall
			}
		}
	}
	return wall
}
