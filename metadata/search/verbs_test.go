package search

import (
	"slices"
	"testing"
)

func TestVerbsOfOneClassAreSynonyms(t *testing.T) {
	for verb, fellows := range verbClass() {
		if slices.Contains(fellows, verb) {
			t.Errorf("%q is its own fellow: a verb must be in one class alone, once", verb)
		}
		for _, f := range fellows {
			if !slices.Contains(verbClass()[f], verb) {
				t.Errorf("%q has the fellow %q but not the other way", verb, f)
			}
		}
	}
}
