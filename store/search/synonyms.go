package search

import (
	_ "embed"
	"strings"
	"sync"
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

// synonyms returns the stems of words that mean the same as a stem, of its kinds and parts, and of
// what it is a kind or part of. The car is a vehicle, and the wheel a part of it.
func synonyms(stem string) map[string]bool {
	found := map[string]bool{}
	if stem < "a" {
		return found // 12 means December only in a date
	}
	for _, c := range synonymClasses()[stem] {
		isSame := false
		for _, other := range c.same {
			isSame = isSame || other == stem
			found[other] = true
		}
		if !isSame {
			continue
		}
		for _, other := range c.narrower {
			found[other] = true
		}
	}
	delete(found, stem)
	return found
}
