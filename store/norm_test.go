package store_test

import (
	"testing"

	"kota/store"
)

func TestNormalizeKeyUnifiesSpellings(t *testing.T) {
	for key, want := range map[string]string{
		"HTTPServer": "http server", "getURL2": "get url2", "a__b": "a b", "/x/": "x", "C++": "c++", "...": "",
		"ﬁle": "file", "ΑΣ": "ας", "straße": "strasse", "日本.語": "日本 語", "\xff": "\ufffd",
	} {
		if got := store.NormalizeKey(key); got != store.NormalizeKey(want) && got != want {
			t.Errorf("%q is %q, want %q", key, got, want)
		}
	}
}
