package search

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"kota/metadata/words"
	"kota/store"
)

// minQuality is the quality, weighted by its column, that a match needs to be certain. In a text
// of a thousand words, a match may be accidental.
const minQuality = .55

// isCertain reports whether a term surely means the word of the query: it is the word, an
// inflection, or its correct spelling. A part of the word may be about something else. A
// correction is uncertain if it changes the first letter, where slips are rare (Yannakoudakis and
// Fawthrop, 1983). It is also uncertain if the term has a digit, or if the words are short. For
// example, "boat" is not a certain correction of "coat", and "Anne" is not one of "Anna".
func (a Term) isCertain(word string) bool {
	if a.part || a.synonym {
		return false
	}
	if a.matchKind != store.MatchSpelling {
		return true
	}
	const short = 4 // letters
	first, _ := utf8.DecodeRuneInString(word)
	return strings.HasPrefix(a.Text, string(first)) &&
		strings.IndexFunc(a.Text, unicode.IsNumber) < 0 &&
		utf8.RuneCountInString(a.Text) >= short && max(utf8.RuneCountInString(word), utf8.RuneCountInString(a.Text)) > short
}

// isClose reports whether a term is close enough to mean the same as word. It may be the word, an
// inflection, or a certain correction of one slip. It may also begin with the same two thirds of
// the letters. If one of the two is a part of the other, the part must have at least half of the
// letters.
func (a Term) isClose(word string) bool {
	size, other := utf8.RuneCountInString(word), utf8.RuneCountInString(a.Text)
	switch {
	case a.part:
		return 2*min(size, other) >= max(size, other)
	case a.synonym || a.matchKind != store.MatchSpelling:
		return true
	case words.Typos([]rune(word), []rune(a.Text), 1) == 1:
		return a.isCertain(word)
	}
	return 3*commonPrefixLen(word, a.Text) >= 2*max(size, other)
}

// commonPrefixLen returns the number of letters that both words begin with.
func commonPrefixLen(a, b string) int {
	x, y := []rune(a), []rune(b)
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	return n
}

// significance reports for each query term whether it is significant: not generic. If all are
// generic, all count as significant.
func significance(terms []queryTerm) []bool {
	content, found := make([]bool, len(terms)), false
	for i, w := range terms {
		content[i] = !w.generic()
		found = found || content[i]
	}
	if !found {
		for i := range content {
			content[i] = true
		}
	}
	return content
}

// matchesAll reports whether every significant word of the query has a certain match. If the
// query asks for the deadline of a project, that of another project is no answer.
func (s *scorer) matchesAll(matched []bool) bool {
	letters := s.matchedLetters(matched)
	for i, w := range s.terms {
		if s.significant[i] && !matched[i] && !(w.pair && spelledBy(w.word, letters)) {
			return false
		}
	}
	return len(matched) > 0
}

// dropPartsOfStopWords sets the scores to 0 of candidates that lack a word of a query, if it has
// only stop words: "the who" is a band, but one of "the of and" is in most texts.
func (s *scorer) dropPartsOfStopWords(found []*Candidate) {
	if !s.hasOnlyStopWords() {
		return
	}
	for _, c := range found {
		if !c.matchesAll {
			c.Score = 0
		}
	}
}

func (s *scorer) hasOnlyStopWords() bool {
	return !slices.ContainsFunc(s.terms, func(w queryTerm) bool { return !stopWords()[w.word] })
}

// negations are words that turn a question round: what somebody eats is no answer to what she
// does not eat. The "t" is that of "don't".
var negations = setOf(`not no never t cannot nicht kein keine keinen nie niet geen nooit ne pas jamais nunca jamás non mai`)

// negates reports whether one of the words is a negation.
func negates(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return negations()[word] })
}

// matchedLetters returns the ideographs of all matched pairs. The caller uses them to accept
// an unmatched pair that consists of the end of one matched word and the start of the next.
func (s *scorer) matchedLetters(matched []bool) map[rune]bool {
	found := map[rune]bool{}
	for i, w := range s.terms {
		if !w.pair || !matched[i] {
			continue
		}
		for _, r := range w.word {
			found[r] = true
		}
	}
	return found
}

// spelledBy reports whether each ideograph of pair is in letters or is a particle.
func spelledBy(pair string, letters map[rune]bool) bool {
	for _, r := range pair {
		if !letters[r] && !particles()[r] {
			return false
		}
	}
	return true
}

// generic reports whether a word fits a question about any subject. Such a word does not
// distinguish memories, so a memory without it may still be the answer.
func (w queryTerm) generic() bool {
	return !w.literal && (stopWords()[w.word] || genericStems()[Stem(w.word)])
}

//go:embed generic_words.txt
var genericWords string

// genericStems are the stems of the words in generic_words.txt: words for asking, liking, using
// and the like. They do not include "best", "old" and "new": a best friend is not any friend.
var genericStems = stemsOf(setOf(genericWords))

func stemsOf(words func() map[string]bool) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		found := map[string]bool{}
		for word := range words() {
			found[Stem(word)] = true
		}
		return found
	})
}

// particles are the ideographs of stop words, and those that join other words.
var particles = sync.OnceValue(func() map[rune]bool {
	found := map[rune]bool{}
	for word := range stopWords() {
		for _, r := range word {
			if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
				found[r] = true
			}
		}
	}
	for _, r := range "的了在吗呢吧和与去有はがをにでともへのやから" {
		found[r] = true
	}
	return found
})
