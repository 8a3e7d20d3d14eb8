package search

import (
	"slices"
	"testing"

	"kota/metadata/words"
)

func TestIsQuestion(t *testing.T) {
	for text, want := range map[string]bool{
		"":                                  false,
		"could you tell me what I ate":      false,
		"do the weekly review":              false,
		"have lunch with Mia":               false,
		"I had soup":                        false,
		"who declined the party":            true,
		"do I have time on friday":          true,
		"have you kept my address":          true,
		"has the shop sent the ticket":      true,
		"What's on today":                   true,
		"¿qué escribí ayer?":                true,
		"heb ik morgen tijd":                true,
		"combien de souvenirs":              true,
		"welche Termine habe ich":           true,
		"wanneer":                           true,
		"schreib, was ich heute getan habe": false,
	} {
		if got := beginsAsQuestion(text); got != want {
			t.Errorf("%q asks: %t, want %t", text, got, want)
		}
	}
}

func TestPhraseIndexFindsNearestPhrase(t *testing.T) {
	entries := []Entry{
		{Tool: "lend", Phrases: []string{"lend the ladder to a neighbour"}},
		{Tool: "whereabouts", Phrases: []string{"who has the ladder of the neighbour"}},
		{Tool: "mend", Phrases: []string{"mend the rungs of something"}},
	}
	x := newPhraseIndex(entries, newTextReader(entries))
	nearest := func(query string) string {
		scores := x.scores(query, len(entries))
		return entries[slices.Index(scores, slices.Max(scores))].Tool
	}
	for query, want := range map[string]string{
		"who did the neighbour take the ladder from": "whereabouts",
		"take the ladder to the neighbour":           "lend",
		"mending":                                    "mend", // another form of a word
		"lend it to my sister":                       "lend", // one person instead of another
	} {
		if got := nearest(query); got != want {
			t.Errorf("%q is nearest to %s, want %s", query, got, want)
		}
	}
	t.Run("is as near as can be when it is the query", func(t *testing.T) {
		near := x.scores("mend the rungs of something", len(entries))
		if other := x.scores("mend the rungs of a house", len(entries)); near[2] <= other[2] || near[2] > 1 {
			t.Errorf("%v, and %v for another rung", near, other)
		}
	})
	t.Run("is none where no word is shared", func(t *testing.T) {
		if scores := x.scores("zzz qqq", len(entries)); slices.Max(scores) != 0 {
			t.Errorf("%v", scores)
		}
	})
}

func TestWordsOfOneClassAreSynonyms(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{"ate", "gegessen"}, {"invoice", "factuur"}, {"drank", "juice"}, {"swam", "gelaufen"},
		{"headache", "hoofdpijn"}, {"tuesday", "morgen"}, {"allergic", "size"}, {"retain", "onthoud"},
	} {
		shared := slices.ContainsFunc(classesOf(words.Stem(c.a)), func(class string) bool {
			return slices.Contains(classesOf(words.Stem(c.b)), class)
		})
		if !shared {
			t.Errorf("%s and %s are of no class together", c.a, c.b)
		}
	}
	if got := classesOf("12th"); !slices.Equal(got, []string{slotMark + "number"}) {
		t.Errorf("a number is of %v", got)
	}
	if got := classesOf("zebra"); len(got) > 0 {
		t.Errorf("zebra is of %v", got)
	}
	if got := synonymStems(words.Stem("monday")); slices.Contains(got, words.Stem("friday")) {
		t.Errorf("one day stands for another: %v", got)
	}
}

func TestClauses(t *testing.T) {
	for query, want := range map[string][]string{
		"":                     nil,
		"milk and eggs":        nil, // items of a list
		"book a table, please": nil,
		"mail the contract to Eva and cancel the meeting": {"mail the contract to Eva", "cancel the meeting"},
		"water plants today; then feed cats":              {"water plants today;", "then feed cats"},
		"zoek de factuur en stuur ze naar Eva":            {"zoek de factuur", "stuur ze naar Eva"},
	} {
		if got := splitClauses(query); !slices.Equal(got, want) {
			t.Errorf("%q is split into %q, want %q", query, got, want)
		}
	}
}
