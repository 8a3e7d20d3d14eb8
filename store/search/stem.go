package search

import (
	"slices"
	"strings"

	"github.com/kljensen/snowball/english"
)

// Reverse returns the letters of a term in reverse order.
func Reverse(term string) string {
	runes := []rune(term)
	slices.Reverse(runes)
	return string(runes)
}

// Stem returns what the inflections of an English word share (Porter2), British
// or American. Other words keep their form, but for endings that look English;
// that does no harm since queries are stemmed the same way.
func Stem(term string) string {
	if len(term) < 3 || !isASCII(term) {
		return term
	}
	if len(term) > 5 {
		term = american.Replace(term)
	}
	return english.Stem(term, true)
}

// american turns what British spelling does otherwise: colour, theatre,
// organise. It need not be right, only the same for both spellings.
var american = strings.NewReplacer("our", "or", "tre", "ter", "ise", "ize", "isi", "izi", "isa", "iza", "yse", "yze", "ogue", "og", "ence", "ense")
