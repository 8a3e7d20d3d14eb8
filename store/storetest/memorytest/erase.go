package memorytest

import (
	"errors"
	"slices"
	"testing"
	"time"

	"kota/store"
	"kota/store/storetest"
)

// An erased memory has no version, no undo and no hit. Its key is free.
func erasedMemoriesAreGone(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	m := db.Memories("ann")
	start := c.Now()
	first := set(t, m, store.Entry{Key: "note", Value: jsonText("marzipan")})
	c.Set(start.Add(time.Minute))
	second := set(t, m, store.Entry{Key: "note", Value: jsonText("marzipan cake")})
	edit(t, m, store.Edit{Key: "note", RenameTo: "other note"})
	set(t, m, store.Entry{Key: "stays", Value: jsonText("bread")})
	if err := m.Index(t.Context()); err != nil {
		t.Fatal(err)
	}
	deleted, err := m.Delete(t.Context(), store.Target{Filter: store.Filter{Before: c.Now().Add(time.Minute)}}, false)
	if err != nil || len(deleted.Keys) != 2 {
		t.Fatal(deleted, err)
	}
	dry, err := m.Erase(t.Context(), store.Target{Key: "other note"}, true)
	if err != nil || dry.Complete || !slices.Equal(dry.Keys, []string{"other note"}) || len(dry.Rows) != 1 {
		t.Fatalf("dry run: %+v, %v", dry, err)
	}
	erased, err := m.Erase(t.Context(), store.Target{Key: "other note", Only: dry.Rows}, false)
	if err != nil || !slices.Equal(erased.Keys, dry.Keys) || !slices.Equal(erased.Rows, dry.Rows) {
		t.Fatalf("erased %+v, %v", erased, err)
	}
	db.Properties().CheckErased(t, erased)
	for _, key := range []string{"note", "other note"} {
		checkMissing(t, m, key)
		_, at := m.GetAt(t.Context(), key, start.Add(time.Second))
		_, history := m.History(t.Context(), key, 9)
		_, restored := m.RestoreVersion(t.Context(), key, 1)
		if !errors.Is(at, store.ErrNotFound) || !errors.Is(history, store.ErrNotFound) || !errors.Is(restored, store.ErrNotFound) {
			t.Errorf("%s: at a time %v, history %v, restore %v", key, at, history, restored)
		}
	}
	for _, undo := range []string{first.Undo, second.Undo} {
		if _, err := m.Restore(t.Context(), undo); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("undo %s: %v", undo, err)
		}
	}
	if found := recall(t, m, store.RecallQuery{Text: "marzipan"}); len(found.Hits) != 0 {
		t.Errorf("found %+v", found)
	}
	events, err := m.HistorySince(t.Context(), time.Time{}, 99)
	if err != nil || slices.ContainsFunc(events, func(e store.MemoryRevision) bool { return e.Key != "stays" }) {
		t.Errorf("the history has %+v, %v", events, err)
	}
	if restored, err := m.Restore(t.Context(), deleted.Undo); err != nil || len(restored) != 1 || restored[0].Key != "stays" {
		t.Errorf("the rest of the deletion: %+v, %v", restored, err)
	}
	if again := set(t, m, store.Entry{Key: "note", Value: jsonText("new")}); again.Version != 1 || again.Change != store.Created {
		t.Errorf("its key is not free: %+v", again)
	}
	if _, err := m.Erase(t.Context(), store.Target{Key: "other note"}, false); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("erased again: %v", err)
	}
}

// A memory that becomes a secret leaves no plain text, as far as the database can.
func newSecretsEraseTheirPlainText(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	m := db.Memories("ann")
	set(t, m, store.Entry{Key: "wifi", Value: jsonText("one")})
	set(t, m, store.Entry{Key: "wifi", Value: jsonText("two")})
	written, err := m.Update(t.Context(), store.Edit{Key: "wifi", Secret: new(true)})
	if err != nil || written.PlaintextErase == nil {
		t.Fatalf("got %+v, %v", written, err)
	}
	db.Properties().CheckErased(t, *written.PlaintextErase)
	if got := set(t, m, store.Entry{Key: "wifi", Value: jsonText("three")}); got.PlaintextErase != nil {
		t.Errorf("a later change erases %+v", got.PlaintextErase)
	}
	checkReveals(t, m, "wifi", `"three"`)
}
