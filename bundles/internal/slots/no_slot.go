package slots

// NoSlot says why there is no slot.
type NoSlot struct {
	// Gap is the longest span in which all people who are not optional work and
	// are free. Time too close to a busy span (see Search.Before) is not free.
	// If several spans are equally long, Gap is the first. If no span exists, Gap is empty.
	Gap Span
	// HoursApart reports that their working hours alone have no span in common
	// that is long enough.
	HoursApart bool
	// FullyBusy are the indexes of the people who are not optional and have no
	// time even if all others are ignored.
	FullyBusy []int
	// Blocking are the indexes of people who are not optional. For each of
	// them, there would be a slot if only that person stayed away.
	Blocking []int
}

// ExplainNoSlot returns why the people cannot meet. Call it if Find returned no
// slot. Unknown time counts as free.
func (s Search) ExplainNoSlot() NoSlot {
	common := spanSet{{s.From, s.To}}
	hours := common
	result := NoSlot{}
	for i, p := range s.People {
		if p.Optional {
			continue
		}
		open := p.open(Span{s.From, s.To})
		hours = hours.and(open)
		common = common.and(open.minus(s.blockedBy(p.Busy)))
		if len(s.starts(p)) == 0 {
			result.FullyBusy = append(result.FullyBusy, i)
		}
		if len(s.without(i).Find()) > 0 {
			result.Blocking = append(result.Blocking, i)
		}
	}
	result.Gap = common.longest()
	longest := hours.longest()
	result.HoursApart = longest.To-longest.From < s.Length
	return result
}

// blockedBy returns the time that a meeting must not use because of the busy
// spans.
func (s Search) blockedBy(busy []Span) spanSet {
	wide := make([]Span, 0, len(busy))
	for _, b := range busy {
		if b.From < b.To {
			wide = append(wide, Span{b.From - s.After, b.To + s.Before})
		}
	}
	return union(wide)
}

// without returns the search for all people but the one at index i.
func (s Search) without(i int) Search {
	others := append([]Person{}, s.People[:i]...)
	s.People = append(others, s.People[i+1:]...)
	return s
}

// longest returns the longest span, the first if there are several. It is empty
// for an empty set.
func (s spanSet) longest() Span {
	best := Span{}
	for _, span := range s {
		if span.To-span.From > best.To-best.From {
			best = span
		}
	}
	return best
}
