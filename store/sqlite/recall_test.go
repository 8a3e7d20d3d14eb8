package sqlite_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"kota/store"
	"kota/store/storetest"
	"kota/store/tables/memory"
)

func FuzzRecall(f *testing.F) {
	for _, text := range storetest.SpecialTexts {
		f.Add(text)
	}
	m := memory.New(open(f), "ann")
	set(f, m, store.Entry{Key: "other thing", Value: json.RawMessage(`"nothing of the kind"`)})
	f.Fuzz(func(t *testing.T, text string) {
		value, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err) // every string has a JSON form
		}
		set(t, m, store.Entry{Key: "fuzzed value", Value: value})
		found := hits(recall(t, m, store.RecallQuery{Text: text}))
		visible := strings.ContainsFunc(text, func(r rune) bool { return r > ' ' && r < 0x7f })
		if visible && len(text) < 200 && !slices.Contains(found, "fuzzed value") {
			t.Errorf("%q: found %q", text, found)
		}
	})
}
