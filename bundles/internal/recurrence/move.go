package recurrence

import (
	"slices"
	"time"

	"github.com/teambition/rrule-go"

	"kota/bundles/internal/timeparse"
)

// Move returns the recurrence after its first event moves to another start:
// another time of day, day or zone, or from times to whole days and back.
// Excluded and added dates move by as much local time as the start, and the
// last instance stays the last. A rule that only repeats its start, such as
// BYDAY=TU of a series that starts on a Tuesday, follows the start to another
// day. Move returns a *[RuleError] if the new rule would be ambiguous; the
// caller must then give a new rule.
func (s *Set) Move(to Start) (*Set, error) {
	moved, err := startOnly(to)
	if err != nil {
		return nil, err
	}
	shift := moved.wall.Sub(s.wall)
	if s.start.Date != moved.start.Date {
		shift = moved.wall.Truncate(24 * time.Hour).Sub(s.wall.Truncate(24 * time.Hour))
	}
	m := mover{from: s, to: moved, shift: shift}
	for _, r := range s.rules {
		next, err := m.rule(r)
		if err != nil {
			return nil, err
		}
		moved.rules = append(moved.rules, next)
	}
	for _, r := range s.exrules {
		next, err := m.rule(r)
		if err != nil {
			return nil, err
		}
		moved.exrules = append(moved.exrules, next)
	}
	moved.rdates, moved.exdates = m.dates(s.rdates), m.dates(s.exdates)
	return moved, nil
}

// mover converts the parts of one set for another.
type mover struct {
	from, to *Set          // the old and the new set
	shift    time.Duration // from an old to a new local time
}

// wall moves a local time. If times become whole days or the reverse, the
// result has the time of day of the new start.
func (m mover) wall(w time.Time) time.Time {
	if m.from.start.Date == m.to.start.Date {
		return w.Add(m.shift)
	}
	return w.Truncate(24 * time.Hour).Add(m.shift).Add(m.to.wall.Sub(m.to.wall.Truncate(24 * time.Hour)))
}

func (m mover) dates(times []time.Time) []time.Time {
	var moved []time.Time
	for _, t := range times {
		wall := t
		if !m.from.start.Date {
			wall = m.from.localTime(t)
		}
		if wall = m.wall(wall); !m.to.start.Date {
			wall = m.to.resolve(wall).UTC()
		}
		moved = append(moved, wall)
	}
	return ordered(moved)
}

// rule moves a rule with its end. It returns an error if it is unclear what the
// new rule would be.
func (m mover) rule(r rule) (rule, error) {
	unclear := &RuleError{"RRULE:" + r.text(m.from.start.Date), "cannot be moved automatically with its start: give the new rule as well"}
	if len(r.hours)+len(r.minutes)+len(r.seconds) > 0 && m.shift%(24*time.Hour) != 0 || m.to.start.Date && len(r.hours)+len(r.minutes)+len(r.seconds) > 0 {
		return r, unclear
	}
	next := r
	next.until = time.Time{}
	sameDay := m.from.wall.Truncate(24 * time.Hour).Equal(m.to.wall.Truncate(24 * time.Hour))
	follows := r.days == nil && r.monthDays == nil && r.yearDays == nil && r.weeks == nil && r.months == nil && r.positions == nil
	if !sameDay && !follows {
		next, follows = m.followStart(next)
	}
	if sameDay || follows && !m.dependsOnOrder(r) {
		return m.setEnd(r, next), nil
	}
	if !m.keepsStep(r, next) {
		return r, unclear
	}
	return m.setEnd(r, next), nil
}

// followStart moves the parts of a rule that repeat its start. It reports false
// if the rule has other parts.
func (m mover) followStart(r rule) (rule, bool) {
	newStart, oldStart := m.to.wall, m.from.wall
	isOnly := func(list []int, n int) bool { return len(list) == 1 && list[0] == n }
	switch {
	case len(r.positions)+len(r.yearDays)+len(r.weeks) > 0:
	case r.freq == rrule.WEEKLY && len(r.months)+len(r.monthDays) == 0 && len(r.days) == 1 && r.days[0] == weekday{day: oldStart.Weekday()}:
		r.days = []weekday{{day: newStart.Weekday()}}
		return r, true
	case r.freq == rrule.MONTHLY && len(r.months)+len(r.days) == 0 && isOnly(r.monthDays, oldStart.Day()):
		r.monthDays = []int{newStart.Day()}
		return r, true
	case r.freq == rrule.YEARLY && len(r.days) == 0 && isOnly(r.months, int(oldStart.Month())) && (len(r.monthDays) == 0 || isOnly(r.monthDays, oldStart.Day())):
		r.months = []int{int(newStart.Month())}
		if len(r.monthDays) > 0 {
			r.monthDays = []int{newStart.Day()}
		}
		return r, true
	}
	return r, false
}

// dependsOnOrder reports whether the rule has an UNTIL, or the set has other
// lines. These refer to single instances, so each instance must move by the same
// local time as the start.
func (m mover) dependsOnOrder(r rule) bool {
	return !r.until.IsZero() || len(m.from.exdates)+len(m.from.rdates)+len(m.from.exrules) > 0 || len(m.from.rules) > 1
}

// keepsStep reports whether the instances of oldRule, each moved like the
// start, are those of newRule. It checks at least 100 instances, and all until
// nine years after the start and until the last EXDATE or RDATE.
func (m mover) keepsStep(oldRule, newRule rule) bool {
	const minInstances = 100
	far := m.from.wall.AddDate(9, 0, 0)
	for _, t := range slices.Concat(m.from.exdates, m.from.rdates) {
		if t.After(far) {
			far = t
		}
	}
	old, moved := m.from.occurrences(oldRule, m.from.wall), m.to.localTimes(newRule, m.to.wall)
	for n := 0; ; n++ {
		o, ok := old()
		if !ok || n >= minInstances && o.wall.After(far) {
			return true
		}
		if wall, ok := moved(); !ok || !wall.Equal(m.wall(o.wall)) {
			return false
		}
	}
}

// setEnd returns newRule with an end. It keeps the UNTIL of oldRule if the
// series still ends with the same instance. Otherwise the UNTIL is that
// instance itself, after the move.
func (m mover) setEnd(oldRule, newRule rule) rule {
	if oldRule.until.IsZero() {
		return newRule
	}
	last := m.from.wall
	for next := m.from.occurrences(oldRule, m.from.wall); ; {
		o, ok := next()
		if !ok {
			break
		}
		last = o.wall
	}
	last = m.wall(last)
	if m.from.start.Date == m.to.start.Date {
		newRule.until = oldRule.until
		if final, ok := m.lastWall(newRule); ok && final.Equal(last) {
			return newRule
		}
	}
	if newRule.until = last; !m.to.start.Date {
		newRule.until = m.to.resolve(last).UTC()
	}
	return newRule
}

// lastWall returns the last local time of a moved rule. It reports false if
// there is none.
func (m mover) lastWall(newRule rule) (last time.Time, ok bool) {
	for next := m.to.occurrences(newRule, m.to.wall); ; {
		o, more := next()
		if !more || o.wall.Year() > timeparse.LastYear {
			return last, ok
		}
		last, ok = o.wall, true
	}
}
