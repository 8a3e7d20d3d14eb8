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

var versionsContract = storetest.Contract{
	"random changes agree with a model":                        randomChangesAgreeWithModel,
	"undo refuses memories that changed since":                 undoRefusesChangedMemories,
	"many changes are undone all or none":                      undoOfManyIsAllOrNothing,
	"a second undo is a conflict":                              secondUndoIsAConflict,
	"undo restores all memories":                               undoRestoresAllMemories,
	"restore refuses unknown undos and those of other tenants": restoreRefusesUnknownUndos,
	"restore does not overwrite another memory":                restoreDoesNotOverwriteAnotherMemory,
	"renaming over a deleted key loses nothing":                renamingOverADeletedKeyLosesNothing,
	"history lists every change":                               historyListsEveryChange,
	"every version in the history can be restored":             listedVersionsCanBeRestored,
	"earlier states are read as of their time":                 getAtReturnsEarlierStates,
	"times of a key grow when the clock is set back":           timesOfAKeyGrowWhenTheClockIsSetBack,
	"an undone change is not listed":                           undoneChangesAreNotListed,
	"a preview says what an undo does":                         previewsSayWhatAnUndoDoes,
}

func undoRestoresAllMemories(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	m := db.Memories("ann")
	for _, key := range []string{"work.boss", "work.desk", "home.door"} {
		set(t, m, store.Entry{Key: key, Value: jsonText(key), Category: new("places"), Expires: c.Now().Add(time.Hour)})
	}
	target := store.Target{Filter: store.Filter{Prefix: "work."}}
	dry, err := m.Delete(t.Context(), target, true)
	if err != nil || !slices.Equal(dry.Keys, []string{"work.boss", "work.desk"}) || dry.Undo != "" {
		t.Fatalf("dry run: %+v, %v", dry, err)
	}
	get(t, m, "work.boss")
	deleted, err := m.Delete(t.Context(), target, false)
	if err != nil || !slices.Equal(deleted.Keys, dry.Keys) {
		t.Fatalf("deleted %+v, %v", deleted, err)
	}
	checkMissing(t, m, "work.boss")
	get(t, m, "home.door")
	c.Set(c.Now().Add(2 * time.Hour))
	restored, err := m.Restore(t.Context(), deleted.Undo)
	if err != nil || len(restored) != 2 {
		t.Fatalf("restored %+v, %v", restored, err)
	}
	if got := get(t, m, "work.desk"); string(got.Value) != `"work.desk"` || got.Category != "places" || got.Version != 3 {
		t.Errorf("restored as %+v", got)
	}
	if _, err := m.Restore(t.Context(), restored[0].Undo); err != nil {
		t.Fatal(err)
	}
	checkMissing(t, m, "work.boss")
	checkMissing(t, m, "work.desk")
}

func restoreRefusesUnknownUndos(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	m := db.Memories("ann")
	set(t, m, store.Entry{Key: "k", Value: jsonText("1")})
	deleted, err := m.Delete(t.Context(), store.Target{Key: "k"}, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Memories("bob").Restore(t.Context(), deleted.Undo); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("bob undoes ann's change: %v", err)
	}
	for _, undo := range []string{"", "u", "u0", "u-1", "12x", "u99999999999999999999"} {
		if _, err := m.Restore(t.Context(), undo); !errors.Is(err, store.ErrInvalid) {
			t.Errorf("undo %q: %v", undo, err)
		}
	}
	if _, err := m.Restore(t.Context(), "u77"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("an unknown undo id: %v", err)
	}
	if _, err := m.RestoreVersion(t.Context(), "k", 9); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("an unknown version: %v", err)
	}
}

// An undo only undoes its own call, and never later changes.
func undoRefusesChangedMemories(t *testing.T, open storetest.Opener) {
	for name, later := range map[string]struct {
		change  func(*testing.T, storetest.Memories)
		version int64 // the current version then; 0: the memory is not visible
	}{
		"another value":  {func(t *testing.T, m storetest.Memories) { set(t, m, store.Entry{Key: "b", Value: jsonText("later")}) }, 3},
		"an edit":        {func(t *testing.T, m storetest.Memories) { edit(t, m, store.Edit{Key: "b", Pinned: new(true)}) }, 3},
		"a rename":       {func(t *testing.T, m storetest.Memories) { edit(t, m, store.Edit{Key: "b", RenameTo: "z"}) }, 3},
		"a deletion":     {func(t *testing.T, m storetest.Memories) { remove(t, m, "b") }, 0},
		"an undo before": {func(t *testing.T, m storetest.Memories) { restoreVersion(t, m, "b", 1) }, 3},
		"deleted and again": {func(t *testing.T, m storetest.Memories) {
			remove(t, m, "b")
			set(t, m, store.Entry{Key: "b", Value: jsonText("x")})
		}, 4},
	} {
		m := open(time.Now).Memories(name)
		set(t, m, store.Entry{Key: "b", Value: jsonText("first")})
		changed := set(t, m, store.Entry{Key: "b", Value: jsonText("second")})
		later.change(t, m)
		before := states(t, m)
		_, err := m.Restore(t.Context(), changed.Undo)
		if !conflictAt(later.version)(err) {
			t.Errorf("after %s: got %v", name, err)
		}
		if after := states(t, m); after != before {
			t.Errorf("after %s: %s became %s", name, before, after)
		}
	}
}

func undoOfManyIsAllOrNothing(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	for _, key := range []string{"a", "b", "c"} {
		set(t, m, store.Entry{Key: key, Value: jsonText("first")})
	}
	deleted, err := m.Delete(t.Context(), store.Target{Filter: store.Filter{Before: time.Now().Add(time.Hour)}}, false)
	if err != nil {
		t.Fatal(err)
	}
	set(t, m, store.Entry{Key: "b", Value: jsonText("newer")})
	if _, err := m.Restore(t.Context(), deleted.Undo); !conflictAt(3)(err) {
		t.Errorf("got %v", err)
	}
	if got := states(t, m); got != `b=3:"newer" ` {
		t.Errorf("the memories are %s", got)
	}
}

func secondUndoIsAConflict(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	set(t, m, store.Entry{Key: "k", Value: jsonText("1")})
	changed := set(t, m, store.Entry{Key: "k", Value: jsonText("2")})
	if _, err := m.Restore(t.Context(), changed.Undo); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Restore(t.Context(), changed.Undo); !conflictAt(3)(err) {
		t.Errorf("got %v", err)
	}
}

// states returns the visible memories as text.
func states(t *testing.T, m storetest.Memories) string {
	t.Helper()
	found, _, err := m.List(t.Context(), store.Filter{}, store.Page{Limit: 99})
	if err != nil {
		t.Fatal(err)
	}
	all := ""
	for _, one := range found {
		all += fmt.Sprintf("%s=%d:%s ", one.Key, one.Version, one.Value)
	}
	return all
}

func edit(t *testing.T, m storetest.Memories, e store.Edit) {
	t.Helper()
	if _, err := m.Update(t.Context(), e); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, m storetest.Memories, key string) {
	t.Helper()
	if _, err := m.Delete(t.Context(), store.Target{Key: key}, false); err != nil {
		t.Fatal(err)
	}
}

func restoreVersion(t *testing.T, m storetest.Memories, key string, version int64) {
	t.Helper()
	if _, err := m.RestoreVersion(t.Context(), key, version); err != nil {
		t.Fatal(err)
	}
}

func restoreDoesNotOverwriteAnotherMemory(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	set(t, m, store.Entry{Key: "a", Value: jsonText("first")})
	set(t, m, store.Entry{Key: "b", Value: jsonText("second")})
	renamed, err := m.Update(t.Context(), store.Edit{Key: "a", RenameTo: "c"})
	if err != nil {
		t.Fatal(err)
	}
	set(t, m, store.Entry{Key: "a", Value: jsonText("third")})
	if _, err := m.Restore(t.Context(), renamed.Undo); !conflictAt(1)(err) {
		t.Errorf("got %v", err)
	}
	for key, want := range map[string]string{"a": `"third"`, "b": `"second"`, "c": `"first"`} {
		if got := string(get(t, m, key).Value); got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
}

func renamingOverADeletedKeyLosesNothing(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	set(t, m, store.Entry{Key: "b", Value: jsonText("old")})
	deleted, err := m.Delete(t.Context(), store.Target{Key: "b"}, false)
	if err != nil {
		t.Fatal(err)
	}
	set(t, m, store.Entry{Key: "a", Value: jsonText("new")})
	renamed, err := m.Update(t.Context(), store.Edit{Key: "a", RenameTo: "b"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Restore(t.Context(), deleted.Undo); !conflictAt(2)(err) {
		t.Fatalf("restored to a key that is in use: %v", err)
	}
	if _, err := m.Restore(t.Context(), renamed.Undo); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Restore(t.Context(), deleted.Undo); err != nil {
		t.Fatal(err)
	}
	if a, b := string(get(t, m, "a").Value), string(get(t, m, "b").Value); a != `"new"` || b != `"old"` {
		t.Errorf("a is %s, b is %s", a, b)
	}
}

func historyListsEveryChange(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	m := db.Memories("ann")
	start := c.Now()
	step := func() { c.Set(c.Now().Add(time.Minute)) }
	set(t, m, store.Entry{Key: "k", Value: jsonText("1")})
	step()
	set(t, m, store.Entry{Key: "k", Value: jsonText("2")})
	step()
	if _, err := m.Update(t.Context(), store.Edit{Key: "k", Pinned: new(true)}); err != nil {
		t.Fatal(err)
	}
	step()
	if _, err := m.Delete(t.Context(), store.Target{Key: "k"}, false); err != nil {
		t.Fatal(err)
	}
	step()
	if _, err := m.RestoreVersion(t.Context(), "k", 1); err != nil {
		t.Fatal(err)
	}
	set(t, m, store.Entry{Key: "other", Value: jsonText("x")})

	events, err := m.History(t.Context(), "k", 99)
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for _, e := range events {
		before := "nothing"
		if e.Before != nil {
			before = string(e.Before.Value)
		}
		got = append(got, fmt.Sprintf("%d %s after %v superseding %s", e.Version, e.Operation, e.At.Sub(start), before))
	}
	want := []string{
		`5 restore after 4m0s superseding "2"`,
		`4 delete after 3m0s superseding "2"`,
		`3 update after 2m0s superseding "2"`,
		`2 set after 1m0s superseding "1"`,
		`1 create after 0s superseding nothing`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := string(get(t, m, "k").Value); got != `"1"` {
		t.Errorf("version 1 was restored as %s", got)
	}
	since, err := m.HistorySince(t.Context(), start.Add(3*time.Minute), 99)
	if err != nil || len(since) != 3 {
		t.Errorf("since the deletion: %+v, %v", since, err)
	}
	if _, err := m.History(t.Context(), "never", 9); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("history of nothing: %v", err)
	}
}

func listContinuesAfterTheCursor(t *testing.T, open storetest.Opener) {
	for _, order := range []store.Order{store.ByKey, store.Newest} {
		db, c := storetest.WithClock(open)
		m := db.Memories(fmt.Sprint("ann", order))
		for i := range 10 {
			set(t, m, store.Entry{Key: fmt.Sprintf("k%d", i), Value: jsonText("v")})
			if i%2 == 0 { // two memories each have the same time
				c.Set(c.Now().Add(time.Second))
			}
		}
		seen, cursor := []string{}, ""
		for range 10 {
			part, next, err := m.List(t.Context(), store.Filter{}, store.Page{Order: order, Limit: 3, Cursor: cursor})
			if err != nil {
				t.Fatal(err)
			}
			seen = append(seen, keys(part)...)
			set(t, m, store.Entry{Key: "a" + cursor, Value: jsonText("between")}) // before the current position
			if cursor = next; cursor == "" {
				break
			}
			c.Set(c.Now().Add(time.Second))
		}
		for i := range 10 {
			key := fmt.Sprintf("k%d", i)
			if at := slices.Index(seen, key); at < 0 || slices.Contains(seen[at+1:], key) {
				t.Errorf("order %d does not list %s exactly once in %q", order, key, seen)
			}
		}
	}
}

func listRefusesInvalidPages(t *testing.T, open storetest.Opener) {
	m := open(time.Now).Memories("ann")
	for _, page := range []store.Page{
		{Limit: 0}, {Limit: -1}, {Limit: 1, Cursor: "x"}, {Limit: 1, Cursor: "[]"}, {Limit: 1, Cursor: `["a"]`}, {Limit: 1, Cursor: `["a",1,2]`},
		{Limit: 1, Order: store.Newest, Cursor: `["a",1]`}, {Limit: 1, Cursor: "null"},
	} {
		if _, _, err := m.List(t.Context(), store.Filter{}, page); !errors.Is(err, store.ErrInvalid) {
			t.Errorf("%+v: got %v", page, err)
		}
	}
}

func listFilters(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	m := db.Memories("ann")
	set(t, m, store.Entry{Key: "user.name", Value: jsonText("x"), Category: new("a"), Tags: []string{"t", "it's"}, Pinned: new(true)})
	c.Set(c.Now().Add(time.Hour))
	set(t, m, store.Entry{Key: "userNote", Value: jsonText("x"), Category: new("b"), Tags: []string{"t"}, Expires: c.Now().Add(time.Hour)})
	set(t, m, store.Entry{Key: "username", Value: jsonText("x")})
	for name, c := range map[string]struct {
		filter store.Filter
		want   []string
	}{
		"all":           {store.Filter{}, []string{"user.name", "userNote", "username"}},
		"category":      {store.Filter{Category: "a"}, []string{"user.name"}},
		"a tag":         {store.Filter{Tags: []string{"t"}}, []string{"user.name", "userNote"}},
		"both tags":     {store.Filter{Tags: []string{"it's", "t"}}, []string{"user.name"}},
		"no such tag":   {store.Filter{Tags: []string{"' OR 1"}}, []string{}},
		"prefix":        {store.Filter{Prefix: "USER"}, []string{"user.name", "userNote", "username"}},
		"prefix, whole": {store.Filter{Prefix: "user_"}, []string{"user.name", "userNote"}},
		"prefix, %":     {store.Filter{Prefix: "%"}, []string{}},
		"before":        {store.Filter{Before: c.Now()}, []string{"user.name"}},
		"pinned":        {store.Filter{Pinned: true}, []string{"user.name"}},
		"ending":        {store.Filter{Ending: c.Now().Add(2 * time.Hour)}, []string{"userNote"}},
	} {
		got, _, err := m.List(t.Context(), c.filter, store.Page{Limit: 9})
		if err != nil || !slices.Equal(keys(got), c.want) {
			t.Errorf("%s: got %q, %v, want %q", name, keys(got), err, c.want)
		}
	}
}
