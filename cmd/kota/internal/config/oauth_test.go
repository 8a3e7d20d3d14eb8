package config

import (
	"strings"
	"testing"
)

func TestIsGivenName(t *testing.T) {
	for name, want := range map[string]bool{
		"ann": true, "bob-2": true, "a": true, strings.Repeat("a", 24): true,
		"": false, "local": false, "Ann": false, "änn": false, "..": false, "a/b": false, "a.b": false, "a b": false, "-a": false, "a-": false, "a--b": false,
		"2ann": false, "con": false, "com1": false, strings.Repeat("a", 25): false, "ann\n": false,
	} {
		if got := IsGivenName(name); got != want {
			t.Errorf("%q: got %v", name, got)
		}
	}
}
