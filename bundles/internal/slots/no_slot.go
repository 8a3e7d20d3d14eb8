package slots

// NoSlot says why there is no slot.
type NoSlot struct {
	// Gap is the longest time that all people who are not optional have in
	// common, the first if there are several. It is empty without any.
	Gap Span
	// HoursApart reports that already their working hours leave no time.
	HoursApart bool
	// FullyBusy are the people who have no time even alone.
	FullyBusy []int
	// Blocking are the people who prevent a slot alone: without any one of them
	// there would be one.
	Blocking []int
}

// ExplainNoSlot returns why the people cannot meet, after a search without a result.
// Unknown time counts as free.
func (s Search) ExplainNoSlot() NoSlot {
	common := spanSet{{s.From, s.To}}
	hours := common
	m := NoSlot{}
	for i, p := range s.People {
		if p.Optional {
			continue
		}
		open := p.open(Span{s.From, s.To})
		hours = hours.and(open)
		common = common.and(open.minus(s.blockedBy(p.Busy)))
		if len(s.starts(p)) == 0 {
			m.FullyBusy = append(m.FullyBusy, i)
		}
		if len(s.without(i).Find()) > 0 {
			m.Blocking = append(m.Blocking, i)
		}
	}
	m.Gap = common.longest()
	longest := hours.longest()
	m.HoursApart = longest.To-longest.From < s.Length
	return m
}

// blockedBy returns the time in which a meeting is impossible because of the spans.
func (s Search) blockedBy(busy []Span) spanSet {
	wide := make([]Span, 0, len(busy))
	for _, b := range busy {
		if b.From < b.To {
			wide = append(wide, Span{b.From - s.After, b.To + s.Before})
		}
	}
	return union(wide)
}

// without returns the search for only the other people.
func (s Search) without(i int) Search {
	others := append([]Person{}, s.People[:i]...)
	s.People = append(others, s.People[i+1:]...)
	return s
}

func (s spanSet) longest() Span {
	best := Span{}
	for _, span := range s {
		if span.To-span.From > best.To-best.From {
			best = span
		}
	}
	return best
}
