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

// Stem returns the common form of the inflections of an English word (Porter2), British
// or American. It keeps other words, except for endings that look English. That is
// harmless, because queries are stemmed in the same way.
func Stem(term string) string {
	if len(term) < 3 || !isASCII(term) {
		return term
	}
	if len(term) > 5 {
		term = americanSpelling.Replace(term)
	}
	return english.Stem(term, true)
}

// americanSpelling converts British spelling: colour, theatre, organise. It need not be correct,
// only the same for both spellings.
var americanSpelling = strings.NewReplacer("our", "or", "tre", "ter", "ise", "ize", "isi", "izi", "isa", "iza", "yse", "yze", "ogue", "og", "ence", "ense")
