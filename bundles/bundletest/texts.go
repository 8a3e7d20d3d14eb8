package bundletest

import (
	"strings"
	"testing"
	"unicode/utf8"

	"kota/bundles"
)

// The phrases of an action are in six languages. Each costs a place in the index.
const (
	minPhrases = 5
	maxPhrases = 16
	maxPhrase  = 80 // characters
)

// checkTexts checks the texts for search and people.
func checkTexts(t *testing.T, b bundles.Bundle) {
	if err := b.Check(); err != nil {
		t.Error(err)
	}
	if len(b.Actions) == 0 {
		t.Error("it has no actions")
	}
	tools := map[string]string{} // phrase → the tool it belongs to
	for _, a := range b.Actions {
		if n := len(a.Phrases); n < minPhrases || n > maxPhrases {
			t.Errorf("%s: %d phrases; allowed: %d to %d", a.Tool, n, minPhrases, maxPhrases)
		}
		if len(a.Examples) == 0 {
			t.Errorf("%s: there is no example", a.Tool)
		}
		if !strings.HasSuffix(a.Summary, ".") {
			t.Errorf("%s: the summary %q is no sentence", a.Tool, a.Summary)
		}
		if utf8.RuneCountInString(a.Text()) > 2000 {
			t.Errorf("%s: clients cut descriptions at 2,048 characters", a.Tool)
		}
		summary := strings.ToLower(a.Summary)
		for _, phrase := range a.Phrases {
			phrase = strings.ToLower(strings.TrimSpace(phrase))
			switch n := utf8.RuneCountInString(phrase); {
			case n == 0:
				t.Errorf("%s: a phrase is empty", a.Tool)
			case n > maxPhrase:
				t.Errorf("%s: the phrase %q is longer than %d characters", a.Tool, phrase, maxPhrase)
			case strings.Contains(summary, phrase):
				t.Errorf("%s: the phrase %q is in its summary, which is searched as well", a.Tool, phrase)
			}
			if strings.Contains(phrase, a.Tool) {
				t.Errorf("%s: the phrase %q names the tool, which nobody says", a.Tool, phrase)
			}
			if other, taken := tools[phrase]; taken {
				t.Errorf("%s: the phrase %q leads to %s already", a.Tool, phrase, other)
			}
			tools[phrase] = a.Tool
		}
		for i, example := range a.Examples {
			if example.Title == "" {
				t.Errorf("%s: example %d has no title", a.Tool, i)
			}
		}
	}
}

// checkAliases checks that no alias of an action is the name of another action.
func checkAliases(t *testing.T, b bundles.Bundle) {
	for _, a := range b.Actions {
		for _, other := range b.Actions {
			if alias, taken := a.Aliased(other.Name); taken && other.Tool != a.Tool {
				t.Errorf("%s: the alias %s is the name of another action", a.Tool, alias.Name)
			}
		}
	}
}

func checkRelationships(t *testing.T, b bundles.Bundle, others []string) {
	known := map[string]bool{}
	for _, key := range others {
		known[key] = true
	}
	for _, r := range b.Relationships {
		if r.Bundle == b.Key || !known[r.Bundle] {
			t.Errorf("%s %q, which is no other bundle", r.Type, r.Bundle)
		}
		if r.Description == "" {
			t.Errorf("%s %q does not say why", r.Type, r.Bundle)
		}
	}
}
