package sqlite_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"kota/store"
	"kota/store/engine"
	"kota/store/sqlite"
	"kota/store/tables/diary"
	"kota/store/tables/index"
	"kota/store/tables/memory"
)

// Entries and documents have separate indexes. Each is checked and rebuilt on its own.
func TestDiaryIndexIsCheckedAndRebuilt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	db := openAt(t, path, sqlite.Options{})
	db.StopIdleWork()
	d, m := diary.New(db, "ann"), memory.New(db, "ann")
	logAll(t, d, noteEntry("2026-11-20", "one two"), noteEntry("2026-11-20", "three four"))
	set(t, m, store.Entry{Key: "k", Value: jsonText("five")})
	if err := d.Index(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := index.Check(t.Context(), db, indexes()...); err != nil {
		t.Fatal(err)
	}
	err := db.Write(t.Context(), func(tx engine.Tx) error {
		return tx.Exec("UPDATE entries SET text = 'other' WHERE text = 'one two'")
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := index.Check(t.Context(), db, indexes()...); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("with an outdated index: %v", err)
	}
	progress := []string{}
	if err := index.Rebuild(t.Context(), db, func(done, total int) { progress = append(progress, fmt.Sprintf("%d/%d", done, total)) }, indexes()...); err != nil {
		t.Fatal(err)
	}
	if err := index.Check(t.Context(), db, indexes()...); err != nil || progress[len(progress)-1] != "3/3" {
		t.Errorf("rebuilt: %v, progress %q", err, progress)
	}
	if got := foundTexts(searchEntries(t, d, "other", store.EntryFilter{})); got != "other" {
		t.Errorf("found %q", got)
	}
}
