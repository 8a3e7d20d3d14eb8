package memory_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// storedFacts are facts that a user has stored.
var storedFacts = map[string]string{
	"diet": "Maya is allergic to nuts", "anna": "call her only in the morning", "flat wifi": "the code is on the fridge", "car": "parked on level P3, bay 14",
	"gym": "Mondays and Thursdays with Marco", "passport": "expires in May 2029", "vet": "Dr. Vos, the clinic near the station", "landlord": "Mr. Keller, pays for repairs of the heating",
	"birthday of Tom": "3 April, likes board games", "coffee order": "flat white, oat milk", "dentist": "Dr. Lang, 555 0101", "editor": "Helix", "shoe size": "43",
	"project atlas": "Deadline moved to 12 December; Priya leads", "seat": "aisle, near the front of the plane",
}

func TestQuestionWithRareWordGetsCandidates(t *testing.T) {
	b, _ := newBundle(t, newClock())
	for key, value := range storedFacts {
		call(t, b, "memory_set", toJSON(t, map[string]any{"key": key, "value": value}))
	}
	for query, key := range map[string]string{
		"any food allergies before I book a restaurant?":                "diet",
		"best time to phone Anna":                                       "anna",
		"where did I leave the car this morning at the airport":         "car",
		"who should I write to about the broken heating in my bathroom": "landlord",
		"when does my passport need to be renewed before the trip":      "passport",
		"what could I give Tom for his next birthday party":             "birthday of Tom",
		"which seat do I want on a long flight to Tokyo":                "seat",
		"who is in charge of the Atlas roll-out at the customer":        "project atlas",
		"is there a clinic for my sick cat close to our house":          "vet",
	} {
		answer := call(t, b, "memory_get", toJSON(t, map[string]any{"query": query}))
		shown, _ := answer["candidates"].([]any)
		if answer["confidence"] == "high" {
			shown = answer["memories"].([]any)
		}
		if len(shown) == 0 || len(shown) > 5 {
			t.Errorf("%q: got %v", query, answer)
			continue
		}
		first := shown[0].(map[string]any)
		if first["key"] != key || first["value"] != storedFacts[key] {
			t.Errorf("%q: %v confidence in %v: %v, want %s", query, answer["confidence"], first["key"], first["value"], key)
		}
	}
}

func TestQuestionWithoutRareWordGetsNoCandidates(t *testing.T) {
	b, _ := newBundle(t, newClock())
	for key, value := range storedFacts {
		call(t, b, "memory_set", toJSON(t, map[string]any{"key": key, "value": value}))
	}
	for _, query := range []string{"capital of Mongolia", "what do I usually like", "how do I prefer my eggs in the hotel", "recipe for pancakes"} {
		answer := call(t, b, "memory_get", toJSON(t, map[string]any{"query": query}))
		if answer["confidence"] != "none" || answer["candidates"] != nil || len(answer["memories"].([]any)) > 0 {
			t.Errorf("%q: got %v", query, answer)
		}
	}
}

func TestCandidatesFitAnswerSize(t *testing.T) {
	b, _ := newBundle(t, newClock())
	for _, name := range []string{"anna", "bert", "carl", "dora"} {
		call(t, b, "memory_set", toJSON(t, map[string]any{"key": "letter to " + name, "value": strings.Repeat("Dear friend. ", 1000)}))
	}
	answer := call(t, b, "memory_get", `{"query": "the letter that I wrote to my landlord"}`)
	shown := answer["candidates"].([]any)
	if raw, err := json.Marshal(shown); err != nil || len(shown) != 1 || len(raw) > 25_000 {
		t.Errorf("%d candidates of %d bytes, %v", len(shown), len(raw), err)
	}
}
