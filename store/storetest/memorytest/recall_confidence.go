package memorytest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"kota/store"
	"kota/store/storetest"
)

// A memory that lacks a significant word of the query may be about something else. Confidence
// must then not be high, whatever other memories exist.
func recallHasHighConfidenceOnlyIfEverySignificantWordMatches(t *testing.T, open storetest.Opener) {
	checkHighConfidenceOnlyForEveryWord(t, open(time.Now).Memories("ann"))
}

func confidenceIgnoresOtherMemories(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	memories, _ := evaluation(t, "work")
	storeAll(t, m, slices.DeleteFunc(memories, func(k evaluationMemory) bool { return k.Key == "coffee_preference" || k.Key == "preferred_language" }))
	checkHighConfidenceOnlyForEveryWord(t, m)
}

func checkHighConfidenceOnlyForEveryWord(t *testing.T, m storetest.Memories) {
	t.Helper()
	for key, value := range map[string]string{
		"project atlas": "Deadline moved to 12 December; Priya leads, budget 40k EUR", "gmail password hint": "the first cat", "bn": "Bonn", "shoe size": "43",
		"coffee order": "flat white, oat milk", "coat insurance": "none", "anna phone": "555 0101", "travel visa": "until May", "habit tracker": "paper",
		"c++ standard": "20", "car tires": "in the cellar", "preferred_language": "Go", "editor": "Helix",
	} {
		set(t, m, store.Entry{Key: key, Value: jsonText(value)})
	}
	for _, query := range []string{
		"project zeus deadline", "project hermes budget", "netflix password hint", "hat size", "the editor of the newspaper", "c# standard",
		"coffee order of Priya's sister", "anna phones in may", // one word is missing everywhere, or is only in another memory
		"bn2", "boat insurance", "anne phone", // another digit, first letter or short word means something else
		"tv", "hat", "cart", // could abbreviate a key
	} {
		if answer := recall(t, m, store.RecallQuery{Text: query}); answer.Confidence == store.ConfidenceHigh {
			t.Errorf("%q has high confidence in %q", query, hits(answer))
		}
	}
	for query, want := range map[string]string{
		"what is my usual cofee order?": "coffee order", "*coffee* order": "coffee order", "which is my current shoe size again": "shoe size",
		"project atlas deadline": "project atlas", "atlas budgets": "project atlas", "gmail pasword hint": "gmail password hint",
		"what editor does the user like": "editor", "standard c++": "c++ standard", "cartires": "car tires",
		"favourite language": "preferred_language", "wat is mijn favoriete language?": "preferred_language",
	} {
		if answer := recall(t, m, store.RecallQuery{Text: query}); answer.Confidence != store.ConfidenceHigh || answer.Hits[0].Memory.Key != want {
			t.Errorf("%q: %s confidence in %q, want high confidence in %q", query, answer.Confidence, hits(answer), want)
		}
	}
}

// In a long text, the words of a query may have nothing to do with each other.
func scatteredWordsHaveLowConfidence(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	others := ""
	for i := range 100 {
		others += fmt.Sprintf("and then event%d followed ", i)
	}
	set(t, m, store.Entry{Key: "monday", Value: jsonText("Maria bought a piano. " + others + " Jonas sold his kayak.")})
	for query, want := range map[string]store.Confidence{"Maria piano": store.ConfidenceHigh, "Jonas kayak": store.ConfidenceHigh, "Maria kayak": store.ConfidenceLow} {
		if answer := recall(t, m, store.RecallQuery{Text: query}); answer.Confidence != want {
			t.Errorf("%q: %s confidence, want %s", query, answer.Confidence, want)
		}
	}
}
