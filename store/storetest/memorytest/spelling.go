package memorytest

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"kota/store"
	"kota/store/storetest"
)

// readersByKey returns functions by name. Each makes a call that takes a key, and returns the key
// that the call found.
func readersByKey(m storetest.Memories) map[string]func(context.Context, string) (string, error) {
	return map[string]func(context.Context, string) (string, error){
		"get": func(ctx context.Context, key string) (string, error) {
			found, err := m.Get(ctx, key)
			if err != nil {
				return "", err
			}
			return found.Key, nil
		},
		"get at": func(ctx context.Context, key string) (string, error) {
			found, err := m.GetAt(ctx, key, time.Now().Add(time.Hour))
			if err != nil {
				return "", err
			}
			return found.Key, nil
		},
		"history": func(ctx context.Context, key string) (string, error) {
			events, err := m.History(ctx, key, 1)
			if err != nil {
				return "", err
			}
			return events[0].Key, nil
		},
		"restore version": func(ctx context.Context, key string) (string, error) {
			restored, err := m.RestoreVersion(ctx, key, 1)
			return restored.Key, err
		},
		"update": func(ctx context.Context, key string) (string, error) {
			updated, err := m.Update(ctx, store.Edit{Key: key, Pinned: new(true)})
			return updated.Key, err
		},
		"delete, dry": func(ctx context.Context, key string) (string, error) {
			deleted, err := m.Delete(ctx, store.Target{Key: key}, true)
			if err != nil {
				return "", err
			}
			return deleted.Keys[0], nil
		},
	}
}

func callsUseTheExactSpellingOrTheOnlyOne(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	for name := range readersByKey(nil) {
		m := db.Memories(name)
		act := readersByKey(m)[name]
		for _, value := range []string{"1", "2"} {
			set(t, m, store.Entry{Key: "user_name", Value: jsonText(value)})
		}
		if key, err := act(t.Context(), "userName"); err != nil || key != "user_name" {
			t.Errorf("%s finds the only spelling as %q, %v", name, key, err)
		}
		for _, value := range []string{"1", "2"} {
			set(t, m, store.Entry{Key: "User-Name", Value: jsonText(value)})
		}
		if key, err := act(t.Context(), "user_name"); err != nil || key != "user_name" {
			t.Errorf("%s finds the exact spelling as %q, %v", name, key, err)
		}
		_, err := act(t.Context(), "userName")
		if got := otherSpellings(err); !slices.Equal(got, []string{"User-Name", "user_name"}) {
			t.Errorf("%s by an ambiguous spelling: %v", name, err)
		}
		_, err = act(t.Context(), "nobody")
		if got := otherSpellings(err); len(got) != 0 || !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s of an unknown key: %v", name, err)
		}
	}
}

// otherSpellings returns the spellings that an error names.
func otherSpellings(err error) []string {
	missing := (*store.NotFoundError)(nil)
	if !errors.As(err, &missing) || !errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return missing.OtherSpellings
}

func visibleSpellingComesBeforeADeletedOne(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	set(t, m, store.Entry{Key: "user-name", Value: jsonText("old")})
	if _, err := m.Delete(t.Context(), store.Target{Key: "user-name"}, false); err != nil {
		t.Fatal(err)
	}
	events, err := m.History(t.Context(), "userName", 9)
	if err != nil || events[0].Operation != "delete" {
		t.Errorf("history of the deleted memory: %+v, %v", events, err)
	}
	set(t, m, store.Entry{Key: "user_name", Value: jsonText("new")})
	events, err = m.History(t.Context(), "userName", 9)
	if err != nil || len(events) != 1 || events[0].Key != "user_name" {
		t.Errorf("history of the visible memory: %+v, %v", events, err)
	}
}

func listedVersionsCanBeRestored(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	set(t, m, store.Entry{Key: "car", Value: jsonText("red")})
	if _, err := m.Update(t.Context(), store.Edit{Key: "car", RenameTo: "vehicle"}); err != nil {
		t.Fatal(err)
	}
	restored, err := m.RestoreVersion(t.Context(), "vehicle", 1)
	if err != nil || restored.Key != "car" || restored.Version != 3 {
		t.Errorf("got %+v, %v", restored, err)
	}
}

func eraseNamesTheStoredSpelling(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	set(t, m, store.Entry{Key: "userName", Value: jsonText("v")})
	for _, dry := range []bool{true, false} {
		_, err := m.Erase(t.Context(), store.Target{Key: "user_name"}, dry)
		if got := otherSpellings(err); !slices.Equal(got, []string{"userName"}) {
			t.Errorf("dry run %v: %v", dry, err)
		}
	}
	get(t, m, "userName")
}

func eraseRemovesOnlyTheGivenRows(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	set(t, m, store.Entry{Key: "note a", Value: jsonText("v")})
	target := store.Target{Filter: store.Filter{Prefix: "note"}}
	would, err := m.Erase(t.Context(), target, true)
	if err != nil {
		t.Fatal(err)
	}
	set(t, m, store.Entry{Key: "note b", Value: jsonText("v")})
	target.Only = would.Rows
	for _, dry := range []bool{true, false} {
		if erased, err := m.Erase(t.Context(), target, dry); err != nil || !slices.Equal(erased.Keys, []string{"note a"}) {
			t.Errorf("dry run %v: %+v, %v", dry, erased, err)
		}
	}
	target.Only = []string{"note b@0.1"}
	for _, dry := range []bool{true, false} {
		if _, err := m.Erase(t.Context(), target, dry); !errors.Is(err, store.ErrConflict) {
			t.Errorf("another memory has the key, dry run %v: %v", dry, err)
		}
	}
	target.Only = []string{"note b"}
	for _, dry := range []bool{true, false} {
		if _, err := m.Erase(t.Context(), target, dry); !errors.Is(err, store.ErrInvalid) {
			t.Errorf("a row without a version, dry run %v: %v", dry, err)
		}
	}
	get(t, m, "note b")
}

func ambiguousSpellingHasLowConfidence(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	set(t, m, store.Entry{Key: "userName", Value: jsonText("one")})
	set(t, m, store.Entry{Key: "user_name", Value: jsonText("two")})
	for _, filter := range []store.Filter{{}, {Before: time.Now().Add(time.Hour)}} {
		answer, err := m.Recall(t.Context(), store.RecallQuery{Text: "user-name", Filter: filter, Limit: 5})
		if err != nil || answer.Confidence == store.ConfidenceHigh || len(answer.Hits) != 2 {
			t.Errorf("got %+v, %v", answer, err)
		}
		answer, err = m.Recall(t.Context(), store.RecallQuery{Text: "userName", Filter: filter, Limit: 5})
		if err != nil || answer.Confidence != store.ConfidenceHigh || answer.Hits[0].Memory.Key != "userName" {
			t.Errorf("by its exact key: %+v, %v", answer, err)
		}
	}
}
