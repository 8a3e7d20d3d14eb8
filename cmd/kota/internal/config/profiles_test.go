package config

import (
	"strings"
	"testing"
)

func TestUnknownProfileSuggestsNearest(t *testing.T) {
	for name, want := range map[string]string{
		"readonly":              "--profile readonly: unknown profile (did you mean read-only?); known: full, no-send, read-only, writing",
		"zebra":                 "--profile zebra: unknown profile; known: full, no-send, read-only, writing",
		strings.Repeat("x", 99): "--profile " + strings.Repeat("x", 40) + "…: unknown profile; known: full, no-send, read-only, writing",
	} {
		_, err := Load(environment(t, nil), Flags{Profile: name}, testKnown)
		if err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
}
