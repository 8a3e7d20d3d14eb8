package memorytest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"kota/store"
	"kota/store/storetest"
)

var filtersContract = storetest.Contract{
	"filters compare exactly":                         filtersCompareExactly,
	"an imported memory keeps its times":              importedMemoriesKeepTheirTimes,
	"uses add up across restarts":                     usesAddUpAcrossRestarts,
	"the nearest of many keys are similar":            nearestOfManyKeysAreSimilar,
	"the rows of one deletion have one undo id":       deletedRowsHaveOneUndoID,
	"an exact spelling is found among many":           exactSpellingIsFoundAmongMany,
	"a version of the latest memory of a key is kept": versionOfTheLatestMemoryIsRestored,
}

func filtersCompareExactly(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	m, end := db.Memories("ann"), c.Now().Add(time.Hour)
	work, play := "work", "play"
	set(t, m, store.Entry{Key: "a", Value: jsonText("x"), Category: &work, Tags: []string{"a_b", "50%"}, Source: "Mail from Bob <bob@example.com>", Expires: end})
	set(t, m, store.Entry{Key: "b", Value: jsonText("x"), Category: &play, Tags: []string{"axb", "A_B", "500"}, Source: "ÄRGER"})
	for _, tt := range []struct {
		f    store.Filter
		want string
	}{
		{store.Filter{Ending: end}, ""},
		{store.Filter{Ending: end.Add(time.Millisecond)}, "a"},
		{store.Filter{Before: c.Now()}, ""},
		{store.Filter{Before: c.Now().Add(time.Millisecond)}, "ab"},
		{store.Filter{Source: "BOB@example"}, "a"},
		{store.Filter{Source: "b_b@"}, ""},
		{store.Filter{Source: "%"}, ""},
		{store.Filter{Source: "ÄRG"}, "b"},
		{store.Filter{Source: "ärg"}, ""}, // only the case of ASCII is ignored
		{store.Filter{Tags: []string{"a_b"}}, "a"},
		{store.Filter{Tags: []string{"A_B"}}, "b"},
		{store.Filter{Tags: []string{"50%"}}, "a"},
		{store.Filter{Tags: []string{"a_b", "500"}}, ""},
		{store.Filter{Category: "work"}, "a"},
		{store.Filter{Category: "Work"}, ""},
	} {
		found, _, err := m.List(t.Context(), tt.f, store.Page{Limit: 9})
		if err != nil || letters(found) != tt.want {
			t.Errorf("%+v lists %q, %v, want %q", tt.f, letters(found), err, tt.want)
		}
	}
}

func importedMemoriesKeepTheirTimes(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	m, now := db.Memories("ann"), c.Now()
	created, updated := now.AddDate(-2, 0, 0), now.AddDate(-1, 0, 0)
	set(t, m, store.Entry{Key: "old", Value: jsonText("x"), Created: created, Updated: updated})
	if got := get(t, m, "old"); !got.Created.Equal(created) || !got.Updated.Equal(updated) {
		t.Errorf("created %v, updated %v", got.Created, got.Updated)
	}
	set(t, m, store.Entry{Key: "future", Value: jsonText("x"), Created: now.Add(time.Hour), Updated: now.Add(time.Hour)})
	set(t, m, store.Entry{Key: "old", Value: jsonText("y"), Created: created, Updated: updated})
	for _, key := range []string{"future", "old"} {
		if got := get(t, m, key); !got.Updated.Equal(now) {
			t.Errorf("%s was updated %v", key, got.Updated)
		}
	}
}

func usesAddUpAcrossRestarts(t *testing.T, open storetest.Opener) {
	for range 3 {
		db := open(time.Now)
		m := db.Memories("ann")
		if _, err := m.Get(t.Context(), "k"); errors.Is(err, store.ErrNotFound) {
			set(t, m, store.Entry{Key: "k", Value: jsonText("v")})
		}
		id := get(t, m, "k").ID
		m.Touch(id, id)
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if got := get(t, open(time.Now).Memories("ann"), "k"); got.Uses != 6 {
		t.Errorf("it was used %d times", got.Uses)
	}
}

func nearestOfManyKeysAreSimilar(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	for i := range 40 {
		set(t, m, store.Entry{Key: fmt.Sprintf("trip %02d", i), Value: jsonText("v"), Source: fmt.Sprint(i)})
	}
	for key, want := range map[string][]string{"trip 20b": {"trip 20", "trip 21", "trip 22"}, "trip 2": {"trip 20", "trip 21", "trip 22"}} {
		if got, err := m.Similar(t.Context(), key, 3); err != nil || len(got) != 3 || got[0] != want[0] || !slices.Contains(got, want[1]) {
			t.Errorf("like %q are %q, %v", key, got, err)
		}
	}
	written := set(t, m, store.Entry{Key: "trip 20b", Value: jsonText("v")})
	if want := []store.SimilarKey{{Key: "trip 20", Source: "20"}, {Key: "trip 21", Source: "21"}}; !slices.Equal(written.Similar, want) {
		t.Errorf("the new key is similar to %+v, want %+v", written.Similar, want)
	}
	reversed := set(t, m, store.Entry{Key: "20b trip", Value: jsonText("v")})
	if len(reversed.Similar) == 0 || reversed.Similar[0].Key != "trip 20b" {
		t.Errorf("reversed it is similar to %+v", reversed.Similar)
	}
}

func deletedRowsHaveOneUndoID(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	m := db.Memories("ann")
	for _, key := range []string{"note a", "note b", "note c"} {
		set(t, m, store.Entry{Key: key, Value: jsonText("v")})
	}
	deleted, err := m.Delete(t.Context(), store.Target{Filter: store.Filter{Prefix: "note"}}, false)
	if err != nil || len(deleted.Keys) != 3 {
		t.Fatal(deleted, err)
	}
	for _, key := range deleted.Keys {
		if history, err := m.History(t.Context(), key, 1); err != nil || history[0].Undo != deleted.Undo || history[0].Operation != "delete" {
			t.Errorf("%s: %+v, %v, want undo %s", key, history, err, deleted.Undo)
		}
	}
	c.Set(c.Now().Add(time.Minute))
	restored, err := m.Restore(t.Context(), deleted.Undo)
	if err != nil || len(restored) != 3 || restored[0].Undo != restored[2].Undo {
		t.Fatalf("restored %+v, %v", restored, err)
	}
	if changes, err := m.Undoable(t.Context(), 9); err != nil || changes[0].Operation != "restore" || changes[0].Rows != 3 || changes[1].Operation != "create" {
		t.Errorf("the changes are %+v, %v", changes, err)
	}
	undone := (*store.UndoneError)(nil)
	if _, err := m.Restore(t.Context(), deleted.Undo); !errors.As(err, &undone) || !undone.At.Equal(c.Now()) {
		t.Errorf("undone again: %v", err)
	}
}

// A key of separators has no other spellings, and one spelling may come after nine others.
func exactSpellingIsFoundAmongMany(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	for _, key := range []string{"A B", "A b", "A-B", "A-b", "A.B", "A.b", "A/B", "A/b", "A:B", "A:b", "a_b", "__", "--"} {
		set(t, m, store.Entry{Key: key, Value: jsonText(key)})
	}
	for _, key := range []string{"a_b", "__"} {
		got, err := m.History(t.Context(), key, 9)
		if err != nil || len(got) != 1 || got[0].Key != key {
			t.Errorf("the history of %q is %+v, %v", key, got, err)
		}
	}
	if _, err := m.History(t.Context(), "::", 9); !errors.Is(err, store.ErrNotFound) || len(otherSpellings(err)) != 0 {
		t.Errorf("another key of separators: %v, %q", err, otherSpellings(err))
	}
}

// Two memories had the key one after the other.
func versionOfTheLatestMemoryIsRestored(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	m := db.Memories("ann")
	for _, name := range []string{"first", "second"} {
		set(t, m, store.Entry{Key: "k", Value: jsonText(name)})
		set(t, m, store.Entry{Key: "k", Value: jsonText(name + " again")})
		edit(t, m, store.Edit{Key: "k", RenameTo: name})
		c.Set(c.Now().Add(time.Minute))
	}
	if restored, err := m.RestoreVersion(t.Context(), "k", 1); err != nil || restored.Key != "k" || string(get(t, m, "k").Value) != `"second"` {
		t.Errorf("restored %+v, %v: %s", restored, err, get(t, m, "k").Value)
	}
	checkMissing(t, m, "second")
	get(t, m, "first")
}
