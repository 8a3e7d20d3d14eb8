// Package slots finds the times at which several people can meet. It has no
// access to calendars: the caller says when each person is busy, and when that
// is unknown. It reads no clock.
package slots

import (
	"cmp"
	"slices"
	"time"
)

// Person is a person who should come to the meeting.
type Person struct {
	Optional bool
	Zone     *time.Location // the zone of Hours and Days
	Hours    Hours
	Days     Days
	Busy     []Span // in any order; they may overlap
	Unknown  []Span // times at which the person may be busy or free
}

// Search is a search for times at which people can meet.
type Search struct {
	People   []Person
	From, To int64          // Unix seconds: no slot is outside
	Length   int64          // the length of the meeting, in seconds, at least 1
	Before   int64          // seconds that people need free before the meeting
	After    int64          // seconds that people need free after the meeting; these and the seconds before it may be outside working hours
	Zone     *time.Location // the zone of the midnights for Step
	Step     int64          // seconds between offered starts, which are counted from midnight
}

// Slot is a range of times at which the meeting may start. The range is on one
// day, and at one offset from UTC, in the zone of the search.
type Slot struct {
	Start  time.Time // the first start
	Latest time.Time // the last start, whole steps later
	// Unconfirmed are the people, by index, who may be busy or free.
	Unconfirmed []int
	// Without are the optional people who cannot come.
	Without []int
}

// Find returns every time at which all people who are not optional can come. A
// person can come if they work then, by the clock in their own zone, and are
// not busy. Slots with the fewest unconfirmed people who are not optional come
// first. Among these, slots with the fewest optional people who are absent or
// unconfirmed come first. Equal slots are in order of time.
//
// A meeting starts whole steps after midnight. If a span of possible starts
// contains none of these, the slot is the first whole minute in that span.
func (s Search) Find() []Slot {
	found := []Slot{}
	for _, p := range s.startSpans() {
		found = append(found, s.slots(p)...)
	}
	slices.SortStableFunc(found, func(a, b Slot) int {
		return cmp.Or(
			cmp.Compare(s.required(a.Unconfirmed), s.required(b.Unconfirmed)),
			cmp.Compare(s.absent(a), s.absent(b)),
			a.Start.Compare(b.Start),
		)
	})
	return found
}

// required counts the people who are not optional.
func (s Search) required(people []int) (n int) {
	for _, i := range people {
		if !s.People[i].Optional {
			n++
		}
	}
	return n
}

// absent counts the optional people who cannot come, and those who may be busy.
func (s Search) absent(slot Slot) int {
	return len(slot.Without) + len(slot.Unconfirmed) - s.required(slot.Unconfirmed)
}

// startSpan is a span of starts that suit the same people.
type startSpan struct {
	Span
	unconfirmed, without []int
}

// startSpans returns the starts that suit all who are not optional, in order.
func (s Search) startSpans() []startSpan {
	found := []startSpan{{Span: Span{s.From, s.To - s.Length + 1}}}
	for i, p := range s.People {
		can, cannot := splitAt(found, s.starts(p))
		if p.Optional {
			for j := range cannot {
				cannot[j].without = append(slices.Clip(cannot[j].without), i)
			}
		} else {
			cannot = nil
		}
		unsure, sure := splitAt(can, s.conflictingStarts(p.Unknown))
		for j := range unsure {
			unsure[j].unconfirmed = append(slices.Clip(unsure[j].unconfirmed), i)
		}
		found = slices.Concat(cannot, unsure, sure)
		slices.SortFunc(found, func(a, b startSpan) int { return cmp.Compare(a.From, b.From) })
	}
	return found
}

// splitAt cuts the pieces at the spans of the set. in are the parts inside the
// set, and out are the others.
func splitAt(pieces []startSpan, by spanSet) (in, out []startSpan) {
	for _, p := range pieces {
		at := p.From
		for _, span := range by.around(p.Span) {
			if at < span.From {
				out = append(out, p.withSpan(Span{at, span.From}))
			}
			in = append(in, p.withSpan(Span{max(at, span.From), min(p.To, span.To)}))
			at = span.To
		}
		if at < p.To {
			out = append(out, p.withSpan(Span{at, p.To}))
		}
	}
	return in, out
}

func (p startSpan) withSpan(span Span) startSpan {
	p.Span = span
	return p
}

// starts returns the starts of a meeting during which the person works without
// a break and is not busy.
func (s Search) starts(p Person) spanSet {
	works := spanSet{}
	for _, open := range p.open(Span{s.From, s.To}) {
		if start := (Span{open.From, open.To - s.Length + 1}); start.From < start.To {
			works = append(works, start)
		}
	}
	return works.minus(s.conflictingStarts(p.Busy))
}

// conflictingStarts returns the starts of a meeting that overlaps a span, or is too
// close to one.
func (s Search) conflictingStarts(spans []Span) spanSet {
	starts := make([]Span, 0, len(spans))
	for _, b := range spans {
		if b.From < b.To {
			starts = append(starts, Span{b.From - s.Length - s.After + 1, b.To + s.Before})
		}
	}
	return union(starts)
}

// slots returns the starts of the piece by day and by offset.
func (s Search) slots(p startSpan) []Slot {
	const minute = 60
	found := []Slot{}
	offer := func(first, last int64) {
		found = append(found, Slot{time.Unix(first, 0).In(s.Zone), time.Unix(last, 0).In(s.Zone), p.unconfirmed, p.without})
	}
	for d := range days(p.Span, s.Zone) {
		first := d.midnight + ceil(d.From-d.midnight, s.Step)
		if first < d.To {
			offer(first, first+(d.To-1-first)/s.Step*s.Step)
		}
	}
	if first := ceil(p.From, minute); len(found) == 0 && first < p.To {
		offer(first, first)
	}
	return found
}

// ceil returns the first multiple of step that is not below n.
func ceil(n, step int64) int64 { return floor(n+step-1, step) }
