package search

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sahilm/fuzzy"

	"kota/store"
)

// SortByScore sorts candidates by score, the best first. Of equal candidates, the one changed
// last comes first.
func SortByScore(found []*Candidate) {
	slices.SortFunc(found, func(a, b *Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), b.Updated.Compare(a.Updated), cmp.Compare(b.ID, a.ID))
	})
}

// mergeFresh adds fresh to found. It removes candidates with the same ids from found, because
// their content is old.
func mergeFresh(found, fresh []*Candidate) []*Candidate {
	isFresh := map[int64]bool{}
	for _, c := range fresh {
		isFresh[c.ID] = true
	}
	found = slices.DeleteFunc(found, func(c *Candidate) bool { return isFresh[c.ID] })
	return append(found, fresh...)
}

// Merge adds others to found. If both have a candidate with the same id, it keeps the one with
// the higher score.
func Merge(found, others []*Candidate) []*Candidate {
	for _, other := range others {
		at := slices.IndexFunc(found, func(c *Candidate) bool { return c.ID == other.ID })
		switch {
		case at < 0:
			found = append(found, other)
		case found[at].Score < other.Score:
			other.Matched, other.matchesAll = found[at].Matched, other.matchesAll || found[at].matchesAll
			found[at] = other
		}
	}
	return found
}

const (
	maxAbbreviation = 12   // letters
	minInitials     = 4    // fewer letters are never certain: "tv" and "hat" are also words
	MaxAbbreviated  = 2000 // maximum number of keys with the same first letter that are compared with an abbreviation
)

// Abbreviation returns text in the form for FindByInitials and FindByLetters. It returns ""
// unless text has 2 to 12 letters and nothing else.
func Abbreviation(text string) string {
	text = fold(strings.TrimSpace(text))
	if size := utf8.RuneCountInString(text); size < 2 || size > maxAbbreviation || !canBeMisspelt(text+"xx") {
		return ""
	}
	return text
}

// FindByInitials returns up to 20 documents whose keys have these initials, the newest first.
func FindByInitials(ctx context.Context, x Source, text string) ([]*Candidate, error) {
	ids, err := x.Postings(ctx, nil, []PostingsQuery{{Column: Initials, Words: []string{text}, Limit: MaxAbbreviated}})(0)
	if err != nil {
		return nil, err
	}
	found, err := x.Documents(ctx, ids, 20)
	if err != nil {
		return nil, err
	}
	for _, c := range found {
		c.Relevance, c.Score, c.MatchKind = .8, .8, store.MatchAbbreviation
		c.matchesAll = utf8.RuneCountInString(text) >= minInitials
	}
	return found, nil
}

// FindByLetters returns the best 20 candidates whose keys contain the letters of text in order.
// norms[i] is the normalized key of found[i].
func FindByLetters(text string, found []*Candidate, norms []string) []*Candidate {
	matches := fuzzy.Find(text, norms)
	shortened := []*Candidate{}
	for _, match := range matches[:min(len(matches), 20)] {
		c := found[match.Index]
		c.Relevance = .8 * abbreviationScore(match)
		c.Score, c.MatchKind = c.Relevance, store.MatchAbbreviation
		c.matchesAll = isComposed(match)
		shortened = append(shortened, c)
	}
	return shortened
}

// abbreviationScore returns how well a fuzzy match abbreviates a key, from 0 to 1. It counts
// letters that begin or continue a word, and to a small degree the matched share of the
// key.
func abbreviationScore(match fuzzy.Match) float64 {
	letters := float64(len(match.MatchedIndexes))
	return .9*float64(countWellPlaced(match))/letters + .1*letters/float64(len(match.Str))
}

// countWellPlaced counts the letters that begin a word of the key or directly follow the previous
// letter of the match.
func countWellPlaced(match fuzzy.Match) int {
	good := 0
	for i, at := range match.MatchedIndexes {
		if beginsWord(match.Str, at) || i > 0 && match.MatchedIndexes[i-1]+1 == at {
			good++
		}
	}
	return good
}

// isComposed reports whether a fuzzy match consists of the beginnings of several words
// ("homeaddr" for "home address"). It returns false for fewer than six letters, because a short
// text may be a word itself ("cart").
func isComposed(match fuzzy.Match) bool {
	const long = 6 // letters
	words := 0
	for _, at := range match.MatchedIndexes {
		if beginsWord(match.Str, at) {
			words++
		}
	}
	return words > 1 && len(match.MatchedIndexes) >= long && countWellPlaced(match) == len(match.MatchedIndexes)
}

func beginsWord(key string, at int) bool { return at == 0 || key[at-1] == ' ' }

const (
	leadMargin      = .1  // how much more relevant than each rival the best candidate must be
	likelyRelevance = .28 // the relevance from which the best candidate is likely, even without a significant word
)

// ConfidenceOf judges candidates that are sorted by score. It compares their relevance,
// because an old or rarely used memory is no less certain.
//
// The best candidate is the answer only if it has every significant word of the question. A
// memory with one word of "favourite film" may well be about the favourite pizza. The rarity
// of these words, and so the number of other memories, does not change that.
//
// "Bruno eats twice a day" is no sure answer to "what can I not eat". A document without a negation
// is therefore not the answer to a question with one.
//
// One significant word is enough for ConfidenceLow, because the rest of a question may explain
// why it is asked.
func ConfidenceOf(found []*Candidate) store.Confidence {
	if len(found) == 0 || !IsLikely(found) && !slices.ContainsFunc(found, hasSignificantWord) {
		return store.ConfidenceNone
	}
	best := found[0]
	rivals := slices.ContainsFunc(found[1:], func(c *Candidate) bool { return c.matchesAll && best.Relevance-c.Relevance < leadMargin })
	if !best.matchesAll || best.lacksNegation || rivals {
		return store.ConfidenceLow
	}
	return store.ConfidenceHigh
}

// IsLikely reports whether the best candidate has much of the query, or every significant word of
// it. found must not be empty.
func IsLikely(found []*Candidate) bool {
	return found[0].Relevance >= likelyRelevance || found[0].matchesAll
}

func hasSignificantWord(c *Candidate) bool { return c.hasSignificant }

// SignificantFirst moves the candidates with a significant word before the others, and
// returns their number.
func SignificantFirst(found []*Candidate) int {
	others := slices.DeleteFunc(slices.Clone(found), hasSignificantWord)
	significant := slices.DeleteFunc(found, func(c *Candidate) bool { return !c.hasSignificant })
	copy(found[len(significant):], others)
	return len(significant)
}

// Reorder sorts found. For store.Relevance it changes nothing, because found is already sorted by
// score. For store.KeyOrder it sorts by normalized key, then by key.
func Reorder(order store.Sort, found []*Candidate) {
	switch order {
	case store.NewestFirst:
		slices.SortStableFunc(found, func(a, b *Candidate) int { return b.Updated.Compare(a.Updated) })
	case store.OldestFirst:
		slices.SortStableFunc(found, func(a, b *Candidate) int { return a.Updated.Compare(b.Updated) })
	case store.KeyOrder:
		norms := make(map[*Candidate]string, len(found))
		for _, c := range found {
			norms[c] = store.NormalizeKey(c.Name)
		}
		slices.SortStableFunc(found, func(a, b *Candidate) int {
			return cmp.Or(cmp.Compare(norms[a], norms[b]), cmp.Compare(a.Name, b.Name))
		})
	}
}

// rrfConstant is the constant of reciprocal rank fusion. Each ranking adds 1/(60+position) to the
// score, which Fuse then scales (Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion
// outperforms Condorcet and individual rank learning methods", 2009).
const rrfConstant = 60

// Fuse merges two rankings. It sets each score by the positions in both; 1 means the first
// position in both. Of candidates with equal scores, those in byWords come first.
func Fuse(byWords, byMeaning []*Candidate) []*Candidate {
	fused := map[int64]*Candidate{}
	all := []*Candidate{}
	for _, ranking := range [][]*Candidate{byWords, byMeaning} {
		for place, c := range ranking {
			if fused[c.ID] == nil {
				c.Score = 0
				fused[c.ID], all = c, append(all, c)
			}
			fused[c.ID].Score += (rrfConstant + 1) / float64(rrfConstant+1+place) / 2
		}
	}
	slices.SortStableFunc(all, func(a, b *Candidate) int { return cmp.Compare(b.Score, a.Score) })
	return all
}
