package recurrence

import (
	"slices"
	"time"
)

// Stray reports whether no rule and no date of a set makes its start, which
// Google counts as an instance all the same, and returns the first time after it
// that a rule makes. A set without a rule has no stray start: its dates are
// beside it.
func (s *Set) Stray() (next time.Time, stray bool) {
	for _, r := range s.rules {
		first, ok := s.occurrences(r, s.wall)()
		switch {
		case !ok:
			continue
		case first.wall.Equal(s.wall):
			return time.Time{}, false
		case next.IsZero() || first.at.Before(next):
			next = first.at
		}
	}
	dated := slices.ContainsFunc(s.rdates, func(t time.Time) bool {
		return t.Equal(s.start.Time) || s.start.Date && t.Equal(s.wall)
	})
	return next, len(s.rules) > 0 && !dated && !next.IsZero()
}
