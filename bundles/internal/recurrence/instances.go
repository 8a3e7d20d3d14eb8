package recurrence

import (
	"slices"
	"time"

	"kota/bundles/internal/timeparse"
)

// occurrence is one time that the start, a rule, an RDATE or an EXDATE gives.
type occurrence struct {
	wall     time.Time // its local time, as timeparse.LocalTime.Floating
	at       time.Time // its moment
	excluded bool      // an EXRULE or EXDATE gives it
}

// maxUTCOffset is more than the offset of any clock from UTC.
const maxUTCOffset = 17 * time.Hour

// resolve returns the moment of a local time, or of the beginning of a day.
func (s *Set) resolve(wall time.Time) time.Time {
	switch {
	case wall.Equal(s.wall):
		return s.start.Time // also if clocks show it for the second time
	case s.start.Date:
		return timeparse.DayStart(timeparse.LocalTimeOf(wall), s.start.Zone)
	}
	return timeparse.Resolve(wall, s.start.Zone).Time
}

func (s *Set) localTime(at time.Time) time.Time {
	return timeparse.LocalTimeOf(at.In(s.start.Zone)).Floating()
}

// occurrences returns the occurrences of the rule until its end, in the order
// of local time. That is not always the order of their moments. It may omit
// those before from.
func (s *Set) occurrences(r rule, from time.Time) func() (occurrence, bool) {
	next := s.localTimes(r, from)
	return func() (occurrence, bool) {
		for {
			wall, ok := next()
			if !ok || !r.until.IsZero() && wall.After(r.until.Add(2*maxUTCOffset)) {
				return occurrence{}, false
			}
			o := occurrence{wall: wall, at: s.resolve(wall)}
			if !r.until.IsZero() && s.isAfter(o, r.until) {
				continue
			}
			return o, true
		}
	}
}

// isAfter reports whether the occurrence is after the end of a rule.
func (s *Set) isAfter(o occurrence, until time.Time) bool {
	if s.start.Date {
		return o.wall.After(until)
	}
	return o.at.After(until)
}

// dateOccurrences returns the occurrences of an RDATE or EXDATE.
func (s *Set) dateOccurrences(times []time.Time) func() (occurrence, bool) {
	return func() (occurrence, bool) {
		if len(times) == 0 {
			return occurrence{}, false
		}
		o := occurrence{wall: times[0], at: times[0].In(s.start.Zone)}
		if s.start.Date {
			o.at = s.resolve(o.wall)
		} else {
			o.wall = s.localTime(o.at)
		}
		times = times[1:]
		return o, true
	}
}

// each yields the instances that are not before from, in order and without
// duplicates.
func (s *Set) each(from time.Time, yield func(time.Time) bool) {
	heads := s.heads(from)
	var waiting []occurrence // in the order of their moments
	for len(heads) > 0 || len(waiting) > 0 {
		i := earliest(heads)
		// Nothing that is still to come can be before waiting[0].
		for len(waiting) > 0 && (i < 0 || waiting[0].at.Before(heads[i].wall.Add(-maxUTCOffset))) {
			var at time.Time
			var included bool
			if at, waiting, included = takeFirst(waiting); included && !at.Before(from) && !yield(at) {
				return
			}
		}
		if i < 0 {
			return
		}
		waiting = insert(waiting, heads[i].occurrence)
		if !heads[i].advance() {
			heads = slices.Delete(heads, i, i+1)
		}
	}
}

// heads returns a head for the start, for each rule and for the dates. They
// begin early enough to miss no instance from the moment from on.
func (s *Set) heads(from time.Time) []head {
	wall := s.localTime(from).Add(-2 * maxUTCOffset)
	heads := []head{{next: once(occurrence{wall: s.wall, at: s.start.Time})}}
	for _, r := range s.rules {
		heads = append(heads, head{next: s.occurrences(r, wall)})
	}
	for _, r := range s.exrules {
		heads = append(heads, head{next: s.occurrences(r, wall), excludes: true})
	}
	heads = append(heads, head{next: s.dateOccurrences(s.rdates)}, head{next: s.dateOccurrences(s.exdates), excludes: true})
	var begun []head
	for _, h := range heads {
		if h.advance() {
			begun = append(begun, h)
		}
	}
	return begun
}

// head is the next occurrence of a rule or of dates, with the stream of later
// ones.
type head struct {
	occurrence
	next     func() (occurrence, bool)
	excludes bool
}

// advance moves to the next occurrence, and reports whether there is one.
func (h *head) advance() bool {
	o, ok := h.next()
	o.excluded = h.excludes
	h.occurrence = o
	return ok
}

// earliest returns the index of the head with the earliest local time, or -1
// without any.
func earliest(heads []head) int {
	first := len(heads) - 1
	for i, h := range heads {
		if h.wall.Before(heads[first].wall) {
			first = i
		}
	}
	return first
}

// once returns a function that gives o at its first call, and then false.
func once(o occurrence) func() (occurrence, bool) {
	done := false
	return func() (occurrence, bool) {
		wasDone := done
		done = true
		return o, !wasDone
	}
}

// insert inserts an occurrence by its moment, nearly always at the end.
func insert(waiting []occurrence, o occurrence) []occurrence {
	i := len(waiting)
	for i > 0 && waiting[i-1].at.After(o.at) {
		i--
	}
	return slices.Insert(waiting, i, o)
}

// takeFirst removes the occurrences at the earliest moment. It returns that
// moment and the remaining occurrences. ok is false if one of the removed is an
// exclusion.
func takeFirst(waiting []occurrence) (at time.Time, rest []occurrence, ok bool) {
	at, ok = waiting[0].at, true
	n := 0
	for n < len(waiting) && waiting[n].at.Equal(at) {
		ok = ok && !waiting[n].excluded
		n++
	}
	return at, slices.Delete(waiting, 0, n), ok // in place: a new slice for each instance costs more
}

// Between returns the starts of the instances that are not before from but
// before to, in order, at most limit. more reports whether there are more than
// limit. An all-day instance starts where its day begins in the zone of the
// series. No instance is after the year 2200.
func (s *Set) Between(from, to time.Time, limit int) (instances []time.Time, more bool) {
	if !from.Before(to) {
		return nil, false
	}
	s.each(from, func(at time.Time) bool {
		switch {
		case !at.Before(to):
			return false
		case len(instances) == limit:
			more = true
			return false
		}
		instances = append(instances, at)
		return true
	})
	return instances, more
}

// First returns the first instance that is not before the start, or false if all
// are excluded.
func (s *Set) First() (first time.Time, ok bool) {
	s.each(s.start.Time, func(at time.Time) bool {
		first, ok = at, true
		return false
	})
	return first, ok
}
