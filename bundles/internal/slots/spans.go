package slots

import (
	"cmp"
	"slices"
	"sort"
)

// Span is the half-open interval from From to To, in Unix seconds.
type Span struct{ From, To int64 }

// spanSet is a sorted list of spans with time between them. No span is empty.
type spanSet []Span

// union returns the time that is in any of the spans. It sorts spans.
func union(spans []Span) spanSet {
	slices.SortFunc(spans, func(a, b Span) int { return cmp.Compare(a.From, b.From) })
	merged := spanSet{}
	for _, s := range spans {
		switch last := len(merged) - 1; {
		case s.From >= s.To:
		case last >= 0 && s.From <= merged[last].To:
			merged[last].To = max(merged[last].To, s.To)
		default:
			merged = append(merged, s)
		}
	}
	return merged
}

// around returns the spans of the set that overlap span.
func (s spanSet) around(span Span) spanSet {
	first := sort.Search(len(s), func(i int) bool { return s[i].To > span.From })
	end := first
	for end < len(s) && s[end].From < span.To {
		end++
	}
	return s[first:end]
}

// minus returns the time of s that is not in other.
func (s spanSet) minus(other spanSet) spanSet {
	left := spanSet{}
	for _, span := range s {
		at := span.From
		for _, hole := range other.around(span) {
			if at < hole.From {
				left = append(left, Span{at, hole.From})
			}
			at = hole.To
		}
		if at < span.To {
			left = append(left, Span{at, span.To})
		}
	}
	return left
}

// and returns the time that is in both sets.
func (s spanSet) and(other spanSet) spanSet {
	both := spanSet{}
	for _, span := range s {
		for _, o := range other.around(span) {
			both = append(both, Span{max(span.From, o.From), min(span.To, o.To)})
		}
	}
	return both
}
