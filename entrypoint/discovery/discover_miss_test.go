package discovery_test

import (
	"strings"
	"testing"
)

func TestMissGivesOneReason(t *testing.T) {
	r := notesAndAttic(t)
	const off = " Bundles that are off: attic."
	for args, want := range map[string]string{
		`{"bundle": "attic"}`:                                    "attic is off, so its 6 actions are not searched; the user can run kota bundles enable attic.",
		`{"bundle": "attic", "query": "jot something down"}`:     "attic is off, so its 6 actions are not searched; the user can run kota bundles enable attic.",
		`{"category": "optional"}`:                               "No action passes the filter; the index names the actions you can call." + off,
		`{"category": "optional", "effect": "reads"}`:            "No action passes all filters; omit one; the index names the actions you can call." + off,
		`{"query": "qqqqqqqq"}`:                                  "Nothing matches; the index names the actions you can call." + off,
		`{"query": "отправь письмо, please"}`:                    "Nothing matches; ask in English, Dutch, French, German, Italian or Spanish, or use the index." + off,
		`{"query": "メールを送る"}`:                                    "Nothing matches; ask in English, Dutch, French, German, Italian or Spanish, or use the index." + off,
		`{"query": "attic_add", "bundle": "notes"}`:              "",
		`{"query": "qqqqqqqq", "bundle": "attic", "tags": [""]}`: "attic is off",
	} {
		d := discover(t, r, args)
		if len(d.Index) == 0 && len(d.Actions) == 0 || !strings.HasPrefix(d.Next, want) {
			t.Errorf("%s: got %q with the index %v, want %q", args, d.Next, d.Index, want)
		}
	}
}
