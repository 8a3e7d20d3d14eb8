package search

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"

	"kota/metadata/wordvectors"
)

// synonymQuality is the quality of a synonym, where 1 is the word itself.
const synonymQuality = 0.6

//go:embed synonyms.txt
var synonymText string

// A synonymClass has the stems of words for the same thing, and of words for its kinds or parts.
type synonymClass struct{ same, narrower []string }

// synonymClasses returns the classes of each stem in synonyms.txt. The first search builds them,
// to keep the start of the program fast.
var synonymClasses = sync.OnceValue(func() map[string][]*synonymClass {
	classes := map[string][]*synonymClass{}
	stems := func(text string, of *synonymClass) []string {
		found := []string{}
		for word := range strings.FieldsSeq(text) {
			for _, spelling := range spellings(word) {
				stem := Stem(spelling)
				found = append(found, stem)
				classes[stem] = append(classes[stem], of)
			}
		}
		return found
	}
	for line := range strings.Lines(synonymText) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		c := &synonymClass{}
		same, narrower, _ := strings.Cut(line, ":")
		c.same, c.narrower = stems(same, c), stems(narrower, c)
	}
	return classes
})

// synonyms returns the stems of words that mean the same as a word, of its kinds and parts, and of
// what it is a kind or part of: a car is a vehicle, and a wheel is a part of it. A compound has the
// synonyms of its words.
func synonyms(word string) map[string]bool {
	found := map[string]bool{}
	stem := Stem(word)
	if stem < "a" {
		return found // 12 means December only in a date
	}
	classes := synonymClasses()[stem]
	if len(classes) == 0 {
		for _, part := range compoundParts(word) {
			maps.Copy(found, synonyms(part))
			found[Stem(part)] = true
		}
		return found
	}
	for _, c := range classes {
		for _, other := range c.same {
			found[other] = true
		}
		if slices.Contains(c.same, stem) {
			for _, other := range c.narrower {
				found[other] = true
			}
		}
	}
	delete(found, stem)
	return found
}

// compoundParts returns the two words of a German or Dutch compound that are in synonyms.txt. For
// example, "herbstferien" consists of "herbst" and "ferien". If only one is there, compoundParts
// returns the longest word with which the compound begins or ends. An English word is no compound.
func compoundParts(word string) []string {
	const shortest = 4 // letters
	for at := len(word) - shortest; at >= shortest; at-- {
		if !hasSynonyms(word[at:]) {
			continue
		}
		for _, link := range []string{"", "s", "n", "en"} {
			if head, isLinked := strings.CutSuffix(word[:at], link); isLinked && hasSynonyms(head) {
				return []string{head, word[at:]}
			}
		}
	}
	if _, _, isEnglish := wordvectors.Lookup(word); isEnglish {
		return nil
	}
	for size := len(word) - 3; size >= shortest; size-- {
		for _, part := range []string{word[len(word)-size:], word[:size]} {
			if hasSynonyms(part) {
				return []string{part}
			}
		}
	}
	return nil
}

func hasSynonyms(word string) bool { return len(synonymClasses()[Stem(word)]) > 0 }
