package sqlite

import (
	"cmp"
	"context"
	"kota/store"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sahilm/fuzzy"
)

// bestFirst sorts candidates by score.
func bestFirst(found []*candidate) {
	slices.SortFunc(found, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), b.updated.Compare(a.updated), cmp.Compare(b.id, a.id))
	})
}

// mergeFresh puts rows as they are now in place of what the index has of them.
func mergeFresh(found, fresh []*candidate) []*candidate {
	isFresh := map[int64]bool{}
	for _, c := range fresh {
		isFresh[c.id] = true
	}
	found = slices.DeleteFunc(found, func(c *candidate) bool { return isFresh[c.id] })
	return append(found, fresh...)
}

// mergeCandidates adds to found what others know better.
func mergeCandidates(found, others []*candidate) []*candidate {
	for _, other := range others {
		at := slices.IndexFunc(found, func(c *candidate) bool { return c.id == other.id })
		switch {
		case at < 0:
			found = append(found, other)
		case found[at].score < other.score:
			other.matched, other.whole = found[at].matched, other.whole || found[at].whole
			found[at] = other
		}
	}
	return found
}

const (
	longestAbbreviation = 12
	leastInitials       = 4    // that can be certain: "tv" and "hat" are words
	mostAbbreviated     = 2000 // keys with the same first letter that are compared with it
)

// abbreviation is the text as an abbreviation, "" where it is too short or too long
// for one.
func abbreviation(text string) string {
	text = fold(strings.TrimSpace(text))
	if size := utf8.RuneCountInString(text); size < 2 || size > longestAbbreviation || !spelled(text+"xx") {
		return ""
	}
	return text
}

// initialed finds documents whose keys have these initials.
func initialed(ctx context.Context, x Source, text string) ([]*candidate, error) {
	ids, err := x.Postings(ctx, Initials, []string{text}, nil, mostAbbreviated)
	if err != nil {
		return nil, err
	}
	found, err := x.Documents(ctx, ids, 20)
	if err != nil {
		return nil, err
	}
	for _, c := range found {
		c.fit, c.score, c.why = .8, .8, store.Abbreviation
		c.whole = utf8.RuneCountInString(text) >= leastInitials
	}
	return found, nil
}

// shortenedBy returns those of the candidates, whose keys are given in normal form,
// that have the letters of text in their order.
func shortenedBy(text string, found []*candidate, norms []string) []*candidate {
	matches := fuzzy.Find(text, norms)
	shortened := []*candidate{}
	for _, match := range matches[:min(len(matches), 20)] {
		c := found[match.Index]
		c.fit = .8 * shortening(match)
		c.score, c.why = c.fit, store.Abbreviation
		c.whole = composed(match)
		shortened = append(shortened, c)
	}
	return shortened
}

// shortening says how well a fuzzy match abbreviates a key, 0 to 1: the share
// of its letters that begin a word of the key or follow the letter before, and
// a little for how much of the key it spells.
func shortening(match fuzzy.Match) float64 {
	letters := float64(len(match.MatchedIndexes))
	return .9*float64(wellPlaced(match))/letters + .1*letters/float64(len(match.Str))
}

// wellPlaced counts the letters that begin a word of the key or follow the
// letter before.
func wellPlaced(match fuzzy.Match) int {
	good := 0
	for i, at := range match.MatchedIndexes {
		if beginsWord(match.Str, at) || i > 0 && match.MatchedIndexes[i-1]+1 == at {
			good++
		}
	}
	return good
}

// composed reports whether a fuzzy match is made of the beginnings of several
// words, as "homeaddr" is of "home address", and long enough to be no word of
// its own: "cart" is none of "car tires".
func composed(match fuzzy.Match) bool {
	const long = 6 // letters
	words := 0
	for _, at := range match.MatchedIndexes {
		if beginsWord(match.Str, at) {
			words++
		}
	}
	return words > 1 && len(match.MatchedIndexes) >= long && wellPlaced(match) == len(match.MatchedIndexes)
}

func beginsWord(key string, at int) bool { return at == 0 || key[at-1] == ' ' }

const (
	ahead  = .1  // fit by which the answer must lead all others that might be it
	likely = .28 // fit from which a hit is a candidate without any telling word
)

// confidence judges candidates sorted by score. What is old or seldom used is
// no less certain for that, so it looks at their fit. The best is the answer
// only when it has every word that says what is asked for: what has one of
// "favourite film" may well be the favourite pizza. How rare those words are,
// and so how many other memories there are, does not change that. One telling word
// is enough for a candidate: the rest of a question may be about why it is asked.
func confidence(found []*candidate) store.Confidence {
	if len(found) == 0 || !suits(found) && !slices.ContainsFunc(found, isTelling) {
		return store.None
	}
	best := found[0]
	rivals := slices.ContainsFunc(found[1:], func(c *candidate) bool { return c.whole && best.fit-c.fit < ahead })
	if !best.whole || rivals {
		return store.Unsure
	}
	return store.Sure
}

// suits reports whether the best of some candidates has much of the text.
func suits(found []*candidate) bool { return found[0].fit >= likely || found[0].whole }

func isTelling(c *candidate) bool { return c.telling }

// tellingFirst puts the candidates with a telling word before the others, and
// returns how many they are.
func tellingFirst(found []*candidate) int {
	others := slices.DeleteFunc(slices.Clone(found), isTelling)
	telling := slices.DeleteFunc(found, func(c *candidate) bool { return !c.telling })
	copy(found[len(telling):], others)
	return len(telling)
}

// reorder sorts candidates that are sorted by score.
func reorder(s store.Sort, found []*candidate) {
	switch s {
	case store.NewestFirst:
		slices.SortStableFunc(found, func(a, b *candidate) int { return b.updated.Compare(a.updated) })
	case store.OldestFirst:
		slices.SortStableFunc(found, func(a, b *candidate) int { return a.updated.Compare(b.updated) })
	case store.KeyOrder:
		slices.SortStableFunc(found, func(a, b *candidate) int { return cmp.Compare(a.name, b.name) })
	}
}

// fusion is the constant of reciprocal rank fusion: a place in a ranking is
// worth 1/(60+place) (Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion
// outperforms Condorcet and individual rank learning methods", 2009).
const fusion = 60

// fuse ranks candidates by their places in both rankings. Equal ones keep the
// order of the words. A score of 1 is the first place in both.
func fuse(words, near []*candidate) []*candidate {
	fused := map[int64]*candidate{}
	all := []*candidate{}
	for _, ranking := range [][]*candidate{words, near} {
		for place, c := range ranking {
			if fused[c.id] == nil {
				c.score = 0
				fused[c.id], all = c, append(all, c)
			}
			fused[c.id].score += (fusion + 1) / float64(fusion+1+place) / 2
		}
	}
	slices.SortStableFunc(all, func(a, b *candidate) int { return cmp.Compare(b.score, a.score) })
	return all
}
