package search

import (
	"strings"
	"testing"

	"kota/metadata/words"
)

func TestVerbsAreInOneClassOnly(t *testing.T) {
	class := map[string]string{}
	for line := range strings.Lines(strings.TrimSpace(verbClasses)) {
		for _, verb := range strings.Fields(line) {
			s := words.Stem(verb)
			if first, known := class[s]; known {
				t.Errorf("the stem %q occurs twice: in the class %q and in %q", s, first, line)
			}
			class[s] = line
		}
	}
}
