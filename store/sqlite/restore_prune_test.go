package sqlite_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/sqlite/restore"
	"kota/store/tables/memory"
)

// PruneReplaced keeps the newest copies, as many as asked, with their journals, and the
// copy except.
func TestPruneReplacedKeepsTheNewest(t *testing.T) {
	dir := t.TempDir()
	names := []string{
		"kota.db", "kota-2026-03-10T092653.000.db", "kota-replaced-notes.txt",
		"kota-replaced-2026-03-11T092653.000.db", "kota-replaced-2026-03-11T092653.000.db-wal", "kota-replaced-2026-03-11T092653.000.db.audit-head",
		"kota-replaced-2026-03-12T092653.000.db",
		"kota-replaced-2026-03-13T092653.000.db", "kota-replaced-2026-03-13T092653.000-2.db", "kota-replaced-2026-03-13T092653.000-10.db",
	}
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	removed, err := restore.PruneReplaced(filepath.Join(dir, "kota.db"), 2, filepath.Join(dir, "kota-replaced-2026-03-12T092653.000.db"))
	if err != nil || len(removed) != 2 {
		t.Errorf("removed %q, %v", removed, err)
	}
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for _, one := range left {
		got = append(got, one.Name())
	}
	want := []string{
		"kota-2026-03-10T092653.000.db", "kota-replaced-2026-03-12T092653.000.db",
		"kota-replaced-2026-03-13T092653.000-10.db", "kota-replaced-2026-03-13T092653.000-2.db", "kota-replaced-notes.txt", "kota.db",
	}
	if !slices.Equal(got, want) {
		t.Errorf("left is %q, want %q", got, want)
	}
	if removed, err := restore.PruneReplaced(filepath.Join(dir, "kota.db"), 3, ""); err != nil || len(removed) != 0 {
		t.Errorf("once more removed %q, %v", removed, err)
	}
}

func TestCompareCopyCountsNewerRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	c := newClock()
	db := openAt(t, path, sqlite.Options{Now: c.now})
	m := memory.New(db, "ann")
	set(t, m, store.Entry{Key: "stays", Value: jsonText("1")})
	set(t, m, store.Entry{Key: "changes", Value: jsonText("1")})
	set(t, m, store.Entry{Key: "goes", Value: jsonText("1")})
	copy := filepath.Join(t.TempDir(), "copy.db")
	if err := db.Backup(t.Context(), copy, nil); err != nil {
		t.Fatal(err)
	}
	if got, err := restore.CompareCopy(t.Context(), copy, path); err != nil || got != (restore.NewerData{}) {
		t.Errorf("for a fresh copy: %+v, %v", got, err)
	}
	c.set(c.now().Add(1e9))
	set(t, m, store.Entry{Key: "changes", Value: jsonText("2")})
	set(t, m, store.Entry{Key: "new", Value: jsonText("1")})
	if _, err := m.Delete(t.Context(), store.Target{Key: "goes"}, false); err != nil {
		t.Fatal(err)
	}
	got, err := restore.CompareCopy(t.Context(), copy, path)
	if err != nil || got.Memories != 3 || got.Entries+got.Tasks+got.Documents != 0 || got.OnlyInCopy != (restore.Counts{}) || got.Last.Before(c.now()) {
		t.Errorf("newer is %+v, %v", got, err)
	}
	later := filepath.Join(t.TempDir(), "later.db")
	if err := db.Backup(t.Context(), later, nil); err != nil {
		t.Fatal(err)
	}
	if back, err := restore.CompareCopy(t.Context(), later, copy); err != nil || back.Memories != 2 || back.OnlyInCopy != (restore.Counts{Memories: 1}) {
		t.Errorf("the other way round: %+v, %v", back, err)
	}
	if _, err := restore.CompareCopy(t.Context(), filepath.Join(t.TempDir(), "none.db"), path); err == nil {
		t.Error("comparing a missing copy succeeded")
	}
}
