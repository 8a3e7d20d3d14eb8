package search_test

import (
	"slices"
	"testing"

	"kota/metadata/search"
)

func TestFuseUsesRanksOfBothLists(t *testing.T) {
	word := func(entries ...int) []search.Hit {
		hits := []search.Hit{}
		for _, e := range entries {
			hits = append(hits, search.Hit{Entry: e, Score: .5, MatchKind: search.MatchWord})
		}
		return hits
	}
	weak := search.Hit{Entry: 7, Score: .1, MatchKind: search.MatchWord}
	named := search.Hit{Entry: 9, Score: 1, MatchKind: search.MatchExact}
	for name, c := range map[string]struct {
		hits    []search.Hit
		similar []int
		want    []int
	}{
		"nothing":                          {nil, nil, []int{}},
		"words alone":                      {word(3, 1, 2), nil, []int{3, 1, 2}},
		"meaning alone":                    {nil, []int{3, 1, 2}, []int{3, 1, 2}},
		"shared words are no answer":       {[]search.Hit{weak}, []int{3}, []int{3, 7}},
		"unless they mean it":              {[]search.Hit{weak}, []int{3, 7}, []int{3, 7}},
		"who is in both is first":          {word(1, 2, 3), []int{4, 3}, []int{3, 1, 4, 2}},
		"equal places go by the words":     {word(1, 2), []int{3, 4}, []int{1, 3, 2, 4}},
		"two orders of the same":           {word(1, 2), []int{2, 1}, []int{1, 2}},
		"a name is before all":             {append([]search.Hit{named}, word(1)...), []int{2, 9}, []int{9, 1, 2}},
		"a name that nothing else means":   {[]search.Hit{named}, []int{2}, []int{9, 2}},
		"the last of many words and first": {word(1, 2, 3, 4, 5, 6, 7, 8), []int{8}, []int{8, 1, 2, 3, 4, 5, 6, 7}},
	} {
		got := []int{}
		last := 1.0
		all, answers := search.Fuse(c.hits, func(h search.Hit) bool { return h.Score > .2 }, c.similar)
		for place, h := range all {
			got = append(got, h.Entry)
			if h.Score <= 0 || h.Score > last {
				t.Errorf("%s: a score of %v after %v", name, h.Score, last)
			}
			last = h.Score
			if means := slices.Contains(c.similar, h.Entry); (place < answers) != (means || h.Score > .2) {
				t.Errorf("%s: of %v the first %d are answers", name, all, answers)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}
