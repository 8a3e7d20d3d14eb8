package search

import (
	"cmp"
	"math/bits"
	"slices"

	"kota/metadata/words"
)

// A lexicon finds the words that a misspelt word may mean.
type lexicon struct {
	byLength map[int][]lexeme // by number of runes
}

type lexeme struct {
	word    string
	runes   []rune
	letters uint64 // see letterSet
}

// A correction is a word of the lexicon and its distance in typos.
type correction struct {
	word     string
	distance int
}

// newLexicon returns a lexicon of words, which must be folded and distinct.
func newLexicon(words []string) lexicon {
	l := lexicon{byLength: map[int][]lexeme{}}
	for _, w := range words {
		runes := []rune(w)
		l.byLength[len(runes)] = append(l.byLength[len(runes)], lexeme{w, runes, letterSet(runes)})
	}
	return l
}

// allowedTypos returns how many typos a word of n letters may have. If a short word differs by
// a letter, it is as likely another word.
func allowedTypos(n int) int {
	switch {
	case n < 4:
		return 0
	case n < 8:
		return 1
	}
	return 2
}

// near returns the words of the lexicon that differ from word by at most the allowed typos, the
// nearest first.
func (l lexicon) near(word string) []correction {
	runes := []rune(word)
	limit := allowedTypos(len(runes))
	if limit == 0 {
		return nil
	}
	letters := letterSet(runes)
	var found []correction
	for n := len(runes) - limit; n <= len(runes)+limit; n++ {
		for _, lex := range l.byLength[n] {
			// One typo changes at most two members of the set.
			if bits.OnesCount64(letters^lex.letters) > 2*limit {
				continue
			}
			if d := words.Typos(runes, lex.runes, limit); d <= limit {
				found = append(found, correction{lex.word, d})
			}
		}
	}
	slices.SortFunc(found, func(a, b correction) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.word, b.word))
	})
	return found
}

// letterSet returns the set of letters in 64 bits. Similar words share most of them.
func letterSet(runes []rune) uint64 {
	var set uint64
	for _, r := range runes {
		set |= 1 << (uint32(r) % 64)
	}
	return set
}
