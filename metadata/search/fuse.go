package search

import (
	"cmp"
	"slices"
	"strings"
)

// Text is the entry as one text, for search by meaning: its description and how
// people ask for it.
func (e Entry) Text() string {
	said := append([]string{strings.ReplaceAll(e.Tool, "_", " "), e.Summary, e.Description}, e.Phrases...)
	return strings.Join(append(said, e.Tags...), "\n")
}

// WhyMeaning is the reason of a hit that means what the query means, with other
// words.
const WhyMeaning = "meaning"

// fusion is the constant of reciprocal rank fusion: a place in a ranking is
// worth 1/(60+place) (Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion
// outperforms Condorcet and individual rank learning methods", 2009).
const fusion = 60

// Fuse joins what words have found, hits as Search returns them, with the
// entries that mean what the query means, the most similar first. Hits by name
// stay first. Those that fit and those that are similar are ranked by their
// places in both lists, and equal ones as the words have them; a score of 1 is
// the first place in both. The hits that merely share words come last: behind
// the first answers of all.
func Fuse(hits []Hit, fits func(Hit) bool, similar []int) (all []Hit, answers int) {
	var named, fused, rest []Hit
	at := map[int]int{} // place in fused, of each entry; -1 elsewhere
	add := func(h Hit, place int) {
		if _, known := at[h.Entry]; !known {
			h.Score = 0
			at[h.Entry], fused = len(fused), append(fused, h)
		}
		if i := at[h.Entry]; i >= 0 {
			fused[i].Score += float64(fusion+1) / float64(fusion+1+place) / 2
		}
	}
	for _, h := range hits {
		switch {
		case h.Why == WhyExact:
			named, at[h.Entry] = append(named, h), -1
		case fits(h):
			add(h, len(fused))
		default:
			rest = append(rest, h)
		}
	}
	for place, entry := range similar {
		add(Hit{Entry: entry, Why: WhyMeaning}, place)
	}
	slices.SortStableFunc(fused, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	rest = slices.DeleteFunc(rest, func(h Hit) bool { _, known := at[h.Entry]; return known })
	return slices.Concat(named, fused, rest), len(named) + len(fused)
}
