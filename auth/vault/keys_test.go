package vault_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"kota/auth/vault"
)

func TestKeysAreChecked(t *testing.T) {
	for name, text := range map[string]string{
		"nothing": "", "separators": " ,\n,", "short": "canary-short", "one short": first + ",canary", "twice": first + "\n" + first,
		"not ASCII": strings.Repeat("canaryé", 9), "a control character": strings.Repeat("canary", 9) + "\x01",
	} {
		if keys, err := vault.ParseKeys(text); err == nil || len(keys.IDs()) > 0 || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v, %v", name, keys.IDs(), err)
		}
	}
	for _, text := range []string{first + "," + second, " " + first + "\n\n" + second + "\r\n", first + "\t, " + second + ","} {
		if got := parse(t, text); !got.Equal(parse(t, first+","+second)) || got.Equal(parse(t, second+","+first)) {
			t.Errorf("%q has the keys %v", text, got.IDs())
		}
	}
}

func TestKeysAreNotPrinted(t *testing.T) {
	keys := parse(t, first)
	raw, err := json.Marshal(struct{ Keys vault.Keys }{keys})
	text := fmt.Sprintf("%v %+v %#v %s %q %x %d %s", keys, keys, keys, keys, keys, keys, keys, raw)
	if err != nil || strings.Contains(text, "canary") || strings.Contains(text, "63616e617279") {
		t.Errorf("%s, %v", text, err)
	}
}

// The id of a wrong key must not be that of the right one: the secret would look damaged.
func TestIDsOfKeysDiffer(t *testing.T) {
	known := map[int]bool{}
	for n := range 2000 {
		id := parse(t, fmt.Sprint(strings.Repeat("k", 40), n)).IDs()[0]
		if known[id] || id <= 0 || id > 1<<31-1 {
			t.Fatalf("the id %d", id)
		}
		known[id] = true
	}
}
