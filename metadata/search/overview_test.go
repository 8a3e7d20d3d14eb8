package search

import "testing"

func TestAsksForOverview(t *testing.T) {
	for query, want := range map[string]bool{
		"":                                 false,
		"help":                             true,
		"Help!":                            true,
		"what can you do":                  true,
		"what can you do for me?":          true,
		"list everything":                  true,
		"list all tools":                   true,
		"show me all available actions":    true,
		"What are your capabilities?":      true,
		"was kannst du":                    true,
		"Was kannst du alles?":             true,
		"wat kun je doen":                  true,
		"que peux-tu faire":                true,
		"¿qué puedes hacer?":               true,
		"help me write a letter":           false,
		"list everything you remember":     false,
		"what can you do about this email": false,
		"can you see who is coming":        false,
		"show all labels":                  false,
		"tell me":                          false,
		"the":                              false,
	} {
		if got := AsksForOverview(query); got != want {
			t.Errorf("%q asks for all: %t", query, got)
		}
	}
}
