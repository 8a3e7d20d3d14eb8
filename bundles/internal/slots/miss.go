package slots

// A Miss says why there is no slot.
type Miss struct {
	// Gap is the longest time that all people who are not optional have in
	// common, the first of several; it is empty when there is none.
	Gap Span
	// Apart reports that their working hours alone leave no room.
	Apart bool
	// Full are the people who have no room even for themselves.
	Full []int
	// Helps are those without any one of whom there would be a slot.
	Helps []int
}

// Miss returns what keeps the people from meeting, for a search that finds
// nothing. A time that is not known counts as free.
func (s Search) Miss() Miss {
	common := set{{s.From, s.To}}
	hours := common
	m := Miss{}
	for i, p := range s.People {
		if p.Optional {
			continue
		}
		open := p.open(Span{s.From, s.To})
		hours = hours.and(open)
		common = common.and(open.minus(s.near(p.Busy)))
		if len(s.starts(p)) == 0 {
			m.Full = append(m.Full, i)
		}
		if len(s.without(i).Find()) > 0 {
			m.Helps = append(m.Helps, i)
		}
	}
	m.Gap = common.longest()
	longest := hours.longest()
	m.Apart = longest.To-longest.From < s.Length
	return m
}

// near is the time in which a meeting may not be because of the spans.
func (s Search) near(busy []Span) set {
	wide := make([]Span, 0, len(busy))
	for _, b := range busy {
		if b.From < b.To {
			wide = append(wide, Span{b.From - s.After, b.To + s.Before})
		}
	}
	return union(wide)
}

// without is the search for the others alone.
func (s Search) without(i int) Search {
	others := append([]Person{}, s.People[:i]...)
	s.People = append(others, s.People[i+1:]...)
	return s
}

func (s set) longest() Span {
	best := Span{}
	for _, span := range s {
		if span.To-span.From > best.To-best.From {
			best = span
		}
	}
	return best
}
