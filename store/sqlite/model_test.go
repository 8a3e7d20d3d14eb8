package sqlite_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"kota/store"
	"kota/store/tables/memory"
)

func FuzzKeysAndValuesRoundTrip(f *testing.F) {
	for _, seed := range []string{"C++", "it's", "a@b.com", "-x", "*", `""`, "AND", "'; DROP TABLE memories; --", "\x00", "a\x00b", "\xff\xfe", "日本語", "ﬁ", "e\u0301", "\u202e", "%", "_", "{}", strings.Repeat("x", 5000)} {
		f.Add(seed, seed)
	}
	db := open(f)
	f.Fuzz(func(t *testing.T, key, value string) {
		m := memory.New(db, t.Name())
		encoded, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		written, err := m.Set(t.Context(), store.Entry{Key: key, Value: encoded, Tags: []string{value}, Category: &value, Source: value})
		if errors.Is(err, store.ErrInvalid) && (strings.TrimSpace(key) == "" || len(key) > store.MaxMemoryKey/40) { // no character has more than 40 times its bytes when it is normalized
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, asked := range []string{key, written.Key} {
			got, err := m.Get(t.Context(), asked)
			if err != nil || got.Key != written.Key || string(got.Value) != string(encoded) || got.Category != value || got.Source != value {
				t.Fatalf("%q: got %+v, %v", asked, got, err)
			}
		}
		if _, err := m.Similar(t.Context(), key, 3); err != nil {
			t.Error(err)
		}
		if list, _, err := m.List(t.Context(), store.Filter{Category: value, Prefix: key}, store.Page{Limit: 9}); err != nil || value != "" && len(list) == 0 {
			t.Errorf("listed %d, %v", len(list), err)
		}
		if _, err := m.Delete(t.Context(), store.Target{Key: key}, false); err != nil {
			t.Error(err)
		}
	})
}
