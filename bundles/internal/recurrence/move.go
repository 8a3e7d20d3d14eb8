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
	from, to *Set
	shift    time.Duration // of local times
}

// wall moves a time. A time that becomes or was a whole day is at the start's
// time.
func (m mover) wall(w time.Time) time.Time {
	if m.from.start.Date == m.to.start.Date {
		return w.Add(m.shift)
	}
	return w.Truncate(24 * time.Hour).Add(m.shift).Add(m.to.wall.Sub(m.to.wall.Truncate(24 * time.Hour)))
}

func (m mover) dates(times []time.Time) []time.Time {
	var all []time.Time
	for _, t := range times {
		wall := t
		if !m.from.start.Date {
			wall = m.from.localTime(t)
		}
		if wall = m.wall(wall); !m.to.start.Date {
			wall = m.to.resolve(wall).UTC()
		}
		all = append(all, wall)
	}
	return ordered(all)
}

// rule moves a rule with its end.
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

// followStart moves the parts of a rule that repeat its start.
func (m mover) followStart(r rule) (rule, bool) {
	is, was := m.to.wall, m.from.wall
	one := func(list []int, n int) bool { return len(list) == 1 && list[0] == n }
	switch {
	case len(r.positions)+len(r.yearDays)+len(r.weeks) > 0:
	case r.freq == rrule.WEEKLY && len(r.months)+len(r.monthDays) == 0 && len(r.days) == 1 && r.days[0] == weekday{day: was.Weekday()}:
		r.days = []weekday{{day: is.Weekday()}}
		return r, true
	case r.freq == rrule.MONTHLY && len(r.months)+len(r.days) == 0 && one(r.monthDays, was.Day()):
		r.monthDays = []int{is.Day()}
		return r, true
	case r.freq == rrule.YEARLY && len(r.days) == 0 && one(r.months, int(was.Month())) && (len(r.monthDays) == 0 || one(r.monthDays, was.Day())):
		r.months = []int{int(is.Month())}
		if len(r.monthDays) > 0 {
			r.monthDays = []int{is.Day()}
		}
		return r, true
	}
	return r, false
}

// dependsOnOrder reports whether the series depends on which instance becomes which:
// because of the rule's end, or of other dates.
func (m mover) dependsOnOrder(r rule) bool {
	return !r.until.IsZero() || len(m.from.exdates)+len(m.from.rdates)+len(m.from.exrules) > 0 || len(m.from.rules) > 1
}

// keepsStep reports whether each instance of the one rule, moved like the
// start, is an instance of the other. It checks as far as the dates, and some
// years further.
func (m mover) keepsStep(was, is rule) bool {
	const some = 100
	far := m.from.wall.AddDate(9, 0, 0)
	for _, t := range slices.Concat(m.from.exdates, m.from.rdates) {
		if t.After(far) {
			far = t
		}
	}
	old, moved := m.from.occurrences(was, m.from.wall), m.to.localTimes(is, m.to.wall)
	for n := 0; ; n++ {
		o, ok := old()
		if !ok || n >= some && o.wall.After(far) {
			return true
		}
		if wall, ok := moved(); !ok || !wall.Equal(m.wall(o.wall)) {
			return false
		}
	}
}

// setEnd sets the end of a moved rule: the old rule's end if it still ends the
// series there, else the last instance itself.
func (m mover) setEnd(was, is rule) rule {
	if was.until.IsZero() {
		return is
	}
	last := m.from.wall
	for next := m.from.occurrences(was, m.from.wall); ; {
		o, ok := next()
		if !ok {
			break
		}
		last = o.wall
	}
	last = m.wall(last)
	if m.from.start.Date == m.to.start.Date {
		is.until = was.until
		if final, ok := m.lastWall(is); ok && final.Equal(last) {
			return is
		}
	}
	if is.until = last; !m.to.start.Date {
		is.until = m.to.resolve(last).UTC()
	}
	return is
}

// lastWall returns the last time of a moved rule.
func (m mover) lastWall(is rule) (last time.Time, ok bool) {
	for next := m.to.occurrences(is, m.to.wall); ; {
		o, more := next()
		if !more || o.wall.Year() > timeparse.LastYear {
			return last, ok
		}
		last, ok = o.wall, true
	}
}
