// Package storetest contains contracts that every store must pass (see [Run]), and the interfaces
// that an implementation gives them (see [Database]). The packages below it have more contracts:
// memorytest, diarytest, audittest, writertest and walltest. Storetest also generates any number of
// memories and questions for benchmarks.
package storetest

import (
	"math/rand/v2"
	"strings"
)

// A TextGenerator generates texts from a vocabulary of 60,000 pronounceable words. As in a
// natural language, a few words are frequent and most are rare (Zipf). All generators have the
// same vocabulary, and generators with the same seed generate the same texts.
type TextGenerator struct {
	*rand.Rand
	words []string
	zipf  *rand.Zipf
}

// NewTextGenerator returns the generator with that seed.
func NewTextGenerator(seed uint64) *TextGenerator {
	words := vocabulary()
	own := rand.New(rand.NewPCG(seed, 3))
	return &TextGenerator{own, words, rand.NewZipf(own, 1.07, 4, uint64(len(words)-1))}
}

func vocabulary() []string {
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[string]bool{}
	words := []string{}
	for len(words) < 60_000 {
		word := ""
		for range 1 + r.IntN(4) {
			word += string("bcdfghjklmnprstvwz"[r.IntN(18)]) + string("aeiou"[r.IntN(5)])
		}
		if r.IntN(2) == 0 {
			word += string("nrstlmd"[r.IntN(7)])
		}
		if !seen[word] {
			seen[word] = true
			words = append(words, word)
		}
	}
	return words
}

// Text returns n words, separated by spaces.
func (s *TextGenerator) Text(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = s.words[s.zipf.Uint64()]
	}
	return strings.Join(words, " ")
}

// Questions returns n questions with 2 to 8 significant words. In about a quarter of them,
// swapLetters changes one word.
func (s *TextGenerator) Questions(n int) []string {
	questions := make([]string, n)
	for i := range questions {
		words := strings.Fields(s.Text(2 + s.IntN(7)))
		if s.IntN(4) == 0 {
			at := s.IntN(len(words))
			words[at] = s.swapLetters(words[at])
		}
		questions[i] = "what is my " + strings.Join(words, " ") + "?"
	}
	return questions
}

// swapLetters swaps two neighbouring letters of a word, but never the first letter. It does not
// change words of fewer than five letters.
func (s *TextGenerator) swapLetters(word string) string {
	letters := []byte(word)
	if len(letters) < 5 {
		return word
	}
	at := 1 + s.IntN(len(letters)-2)
	letters[at], letters[at+1] = letters[at+1], letters[at]
	return string(letters)
}
