package memorytest

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/store"
	"kota/store/storetest"
)

// A prefix of only separators must also be a condition. Otherwise a deletion with such a prefix
// would delete everything.
func prefixOfSeparatorsMatchesKeys(t *testing.T, open storetest.Opener) {
	kept := []string{"-dash", "...", "_", "__dunder", "plain", "user_name"}
	for prefix, want := range map[string][]string{
		"_": {"_", "__dunder"}, "__": {"__dunder"}, "-": {"-dash"}, "...": {"..."}, "....": {}, "/": {}, " _ ": {"_", "__dunder"},
		" \t": kept, "": kept,
	} {
		m := open(time.Now).Memories("ann" + prefix)
		for _, key := range kept {
			set(t, m, store.Entry{Key: key, Value: jsonText("v")})
		}
		chosen := store.Filter{Prefix: prefix}
		listed, _, err := m.List(t.Context(), chosen, store.Page{Limit: 9})
		if got := slices.Sorted(slices.Values(keys(listed))); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q lists %q, %v, want %q", prefix, got, err, want)
		}
		deleted, err := m.Delete(t.Context(), store.Target{Filter: chosen}, false)
		if strings.TrimSpace(prefix) == "" {
			_, erasing := m.Erase(t.Context(), store.Target{Filter: chosen}, false)
			if !errors.Is(err, store.ErrInvalid) || !errors.Is(erasing, store.ErrInvalid) || len(deleted.Keys) != 0 {
				t.Errorf("%q deletes %q, %v, and erases with %v", prefix, deleted.Keys, err, erasing)
			}
			continue
		}
		if got := slices.Sorted(slices.Values(deleted.Keys)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q deletes %q, %v, want %q", prefix, got, err, want)
		}
	}
}

// The last capital of a prefix may belong to the next word of the key.
func prefixMatchesKeysThatStartWithIt(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	for _, key := range []string{"HTTPServer", "http_secret", "https_port", "HTTPS", "USERname", "userNote"} {
		set(t, m, store.Entry{Key: key, Value: jsonText("v")})
	}
	for prefix, want := range map[string][]string{
		"HTTP": {"http_secret", "HTTPServer", "HTTPS", "https_port"}, "HTTPS": {"HTTPServer", "HTTPS", "https_port"}, "HTTPSe": {"http_secret", "HTTPServer"},
		"https": {"HTTPS", "https_port"}, "HTTPS_": {"HTTPS", "https_port"}, "USER": {"USERname", "userNote"}, "USERN": {}, "userN": {"userNote"},
	} {
		listed, _, err := m.List(t.Context(), store.Filter{Prefix: prefix}, store.Page{Order: store.ByKey, Limit: 9})
		if got := keys(listed); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q lists %q, %v, want %q", prefix, got, err, want)
		}
	}
}

func keyOfSeparatorsIsNoOtherSpelling(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	set(t, m, store.Entry{Key: "---", Value: jsonText("v")})
	checkMissing(t, m, "...")
	if _, err := m.Delete(t.Context(), store.Target{Key: "_"}, false); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("delete: %v", err)
	}
	if _, err := m.GetAt(t.Context(), "_", time.Now().Add(time.Hour)); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("get at: %v", err)
	}
	get(t, m, "---")
}
