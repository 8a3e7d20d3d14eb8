package search

import (
	"slices"
	"testing"
)

// hallEntries returns a small catalogue about rooms and meals.
func hallEntries() []Entry {
	return []Entry{
		{Tool: "rooms_book", Bundle: "rooms", Name: "book", Summary: "Book a room for a meeting.", Phrases: []string{"I need a room on Monday"}},
		{Tool: "meals_order", Bundle: "meals", Name: "order", Summary: "Order lunch for the guests.", Phrases: []string{"get us sandwiches"}},
	}
}

func TestOutOfScopeTopicsAreNeverFound(t *testing.T) {
	entries := hallEntries()
	for query, fits := range map[string]bool{
		"book a room":                   true,
		"I need a room for Monday":      true,
		"rooms_book":                    true,
		"book a flight":                 false,
		"will it rain on Monday":        false,
		"set a timer for ten minutes":   false,
		"order an umbrella, it rains":   false,
		"what is the capital of France": false,
	} {
		hits := checkHits(t, entries, Options{OutOfScope: OutOfScope(entries)}, query, 0)
		if got := len(hits) > 0 && hits[0].Fits(); got != fits {
			t.Errorf("%q: fits is %t, want %t: %+v", query, got, fits, hits)
		}
	}
}

func TestTopicOfBundleIsInScope(t *testing.T) {
	own := append(hallEntries(), Entry{Tool: "weather_forecast", Bundle: "weather", Name: "forecast", Summary: "Say what weather it will be."})
	if got, want := len(OutOfScope(own)), len(OutOfScope(hallEntries()))-1; got != want {
		t.Errorf("%d topics out of scope of a catalogue with weather, want %d", got, want)
	}
	hits := NewIndex(own, Options{OutOfScope: OutOfScope(own)}).Search("weather for the weekend", 1)
	if len(hits) == 0 || own[hits[0].Entry].Tool != "weather_forecast" || !hits[0].Fits() {
		t.Errorf("the weather is not found: %+v", hits)
	}
}

func TestTopicsAreUniqueWithSeveralPhrases(t *testing.T) {
	var all []string
	for _, topic := range OutOfScope(nil) {
		if len(topic.Phrases) < 8 {
			t.Errorf("the topic of %q is asked for in %d ways only", topic.Phrases[0], len(topic.Phrases))
		}
		all = append(all, topic.Phrases...)
	}
	slices.Sort(all)
	if distinct := slices.Compact(slices.Clone(all)); len(distinct) != len(all) || len(all) < 400 {
		t.Errorf("%d phrases, %d of them distinct", len(all), len(distinct))
	}
}
