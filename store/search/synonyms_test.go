package search

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestSynonymsOfWords(t *testing.T) {
	for word, want := range map[string]string{
		"basura":       "garbag",
		"fahrzeug":     "",     // not in synonyms.txt
		"kitten":       "cat",  // the same
		"animal":       "dog",  // a kind
		"dog":          "anim", // what it is a kind of
		"herbstferien": "vacat",
		"katzenfutter": "food",
		"katzentoast":  "cat", // toast is not in synonyms.txt
		"catnip":       "",    // an English word
		"12":           "",
	} {
		found := synonyms(word)
		if want == "" && len(found) > 0 || want != "" && !found[want] {
			t.Errorf("synonyms of %q are %q, want %q among them", word, slices.Sorted(maps.Keys(found)), want)
		}
	}
	if synonyms("dog")["cat"] {
		t.Error("a dog is a cat, because both are animals")
	}
}

// A stop word in a class has no effect, because a query is searched without it.
func TestSynonymClassesHaveSeveralWords(t *testing.T) {
	for line := range strings.Lines(synonymText) {
		if !strings.HasPrefix(line, "#") && len(strings.Fields(line)) < 2 {
			t.Errorf("the class %q has no two words", line)
		}
	}
}
