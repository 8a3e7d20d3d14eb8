package sqlite_test

import (
	"slices"
	"testing"

	"kota/store"
	"kota/store/sqlite"
)

// What has all words but the one that tells may be about something else,
// however many other memories there are.
func TestRecallIsSureOnlyOfWhatHasEveryTellingWord(t *testing.T) {
	alone, among := open(t).Memories("ann"), open(t).Memories("ann")
	for key, value := range map[string]string{
		"project atlas": "Deadline moved to 12 December; Priya leads, budget 40k EUR", "gmail password hint": "the first cat", "bn": "Bonn", "shoe size": "43",
		"coffee order": "flat white, oat milk", "coat insurance": "none", "anna phone": "555 0101", "travel visa": "until May", "habit tracker": "paper",
		"c++ standard": "20", "car tires": "in the cellar", "preferred_language": "Go", "editor": "Helix",
	} {
		set(t, alone, store.Entry{Key: key, Value: text(value)})
		set(t, among, store.Entry{Key: key, Value: text(value)})
	}
	memories, _ := evaluation(t, "desk")
	keep(t, among, slices.DeleteFunc(memories, func(k kept) bool { return k.Key == "coffee_preference" || k.Key == "preferred_language" }))

	for home, m := range map[string]*sqlite.Memories{"alone": alone, "among others": among} {
		for _, query := range []string{
			"project zeus deadline", "project hermes budget", "netflix password hint", "hat size", "the editor of the newspaper", "c# standard",
			"coffee order of Priya's sister", "anna phones in may", // a word is nowhere, or in another memory
			"bn2", "boat insurance", "anne phone", // a digit, a first letter or a short word would be another
			"tv", "hat", "cart", // words that could abbreviate a key
		} {
			if answer := recall(t, m, store.Query{Text: query}); answer.Confidence == store.Sure {
				t.Errorf("%s, %q is sure of %q", home, query, hits(answer))
			}
		}
		for query, want := range map[string]string{
			"what is my usual cofee order?": "coffee order", "*coffee* order": "coffee order", "which is my current shoe size again": "shoe size",
			"project atlas deadline": "project atlas", "atlas budgets": "project atlas", "gmail pasword hint": "gmail password hint",
			"what editor does the user like": "editor", "standard c++": "c++ standard", "cartires": "car tires",
			"favourite language": "preferred_language", "wat is mijn favoriete language?": "preferred_language",
		} {
			if answer := recall(t, m, store.Query{Text: query}); answer.Confidence != store.Sure || answer.Hits[0].Memory.Key != want {
				t.Errorf("%s, %q: %s confidence in %q, want %q for sure", home, query, answer.Confidence, hits(answer), want)
			}
		}
	}
}
