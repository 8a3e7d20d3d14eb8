package search

import (
	"cmp"
	"slices"
	"strings"
)

// Text returns the entry as one text for search by meaning: its name, summary, description,
// phrases and tags.
func (e Entry) Text() string {
	texts := append([]string{strings.ReplaceAll(e.Tool, "_", " "), e.Summary, e.Description}, e.Phrases...)
	return strings.Join(append(texts, e.Tags...), "\n")
}

// MatchMeaning is the reason for a hit whose text is similar in meaning to the query.
const MatchMeaning = "meaning"

// fusion is the constant of reciprocal rank fusion: rank r in a list is worth 1/(60+r), which
// Fuse scales. See Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet
// and individual rank learning methods", 2009.
const fusion = 60

// Fuse joins hits, as Search returns them, with similar: the entries that are similar in meaning
// to the query, the most similar first. Exact hits stay first. Then come the hits that fit and
// the similar entries, sorted by their ranks in both lists. The first rank in both lists
// gives the score 1, and a tie keeps the order of hits. All other hits come last. The result
// answers is the number of joined hits before these.
func Fuse(hits []Hit, fits func(Hit) bool, similar []int) (joined []Hit, answers int) {
	var named, fused, rest []Hit
	at := map[int]int{} // by entry: its index in fused; -1 if it is in named
	add := func(h Hit, rank int) {
		if _, known := at[h.Entry]; !known {
			h.Score = 0
			at[h.Entry], fused = len(fused), append(fused, h)
		}
		if i := at[h.Entry]; i >= 0 {
			fused[i].Score += float64(fusion+1) / float64(fusion+1+rank) / 2
		}
	}
	for _, h := range hits {
		switch {
		case h.MatchKind == MatchExact:
			named, at[h.Entry] = append(named, h), -1
		case fits(h):
			add(h, len(fused))
		default:
			rest = append(rest, h)
		}
	}
	for rank, entry := range similar {
		add(Hit{Entry: entry, MatchKind: MatchMeaning}, rank)
	}
	slices.SortStableFunc(fused, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	rest = slices.DeleteFunc(rest, func(h Hit) bool { _, known := at[h.Entry]; return known })
	return slices.Concat(named, fused, rest), len(named) + len(fused)
}
