package sqlite_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/tables/diary"
	"kota/store/tables/index"
)

// Before it is erased, the text is in rows, versions, the index and an idempotency key.
func TestErasedEntriesLeaveTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	db := openAt(t, path, sqlite.Options{})
	d := diary.New(db, "ann")
	secrets := []string{"xylophonequartz", "zirconiumvortex", "pumpernickelwaltz", "kookaburramime"}
	e := noteEntry("2026-11-20", strings.Repeat(secrets[0]+" ", 30))
	e.Tags, e.Links = []string{secrets[1]}, []string{"event:" + secrets[1]}
	logged, err := d.Log(t.Context(), store.LogRequest{
		Entries: []store.DayEntry{e, noteEntry("2026-11-20", "stays")}, Tasks: []store.Task{{Text: secrets[2], Added: "2026-11-20"}}, Key: secrets[3],
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		logOne(t, d, noteEntry("2026-11-20", strings.Repeat("words ", i%40)+"."))
	}
	entry, task := logged.Entries[0].ID, logged.Tasks[0].ID
	if _, err := endTasks(t, d, store.TaskDone, "2026-11-20", task); err != nil {
		t.Fatal(err)
	}
	if _, err := d.EditEntry(t.Context(), store.EntryEdit{ID: entry, Text: new("harmless"), Metrics: map[string]any{secrets[0]: true}}); err != nil {
		t.Fatal(err)
	}
	if err := d.Index(t.Context()); err != nil {
		t.Fatal(err)
	}
	deleted, err := d.Delete(t.Context(), entry, task, logged.Entries[1].ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range secrets {
		if !onDisk(t, path, secret) {
			t.Fatalf("%s is not on the disk before it is erased", secret)
		}
	}
	if dry, err := d.Erase(t.Context(), []string{entry, task}, true); err != nil || len(dry.Keys) != 2 || dry.Complete {
		t.Fatalf("dry run: %+v, %v", dry, err)
	}
	if _, err := d.Erase(t.Context(), []string{entry, "e000000"}, false); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("one of them unknown: %v", err)
	}
	erased, err := d.Erase(t.Context(), []string{entry, task}, false)
	if err != nil || !erased.Complete || !slices.Equal(erased.Keys, []string{entry, task}) {
		t.Fatalf("erased %+v, %v", erased, err)
	}
	for _, secret := range secrets {
		if onDisk(t, path, secret) {
			t.Errorf("%s is still on the disk", secret)
		}
	}
	if _, err := d.Erase(t.Context(), []string{entry}, false); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("erased again: %v", err)
	}
	if restored, err := d.Restore(t.Context(), deleted.Undo); err != nil || !slices.Equal(restored.IDs, []string{logged.Entries[1].ID}) {
		t.Errorf("the rest of the change: %+v, %v", restored, err)
	}
	if err := index.Check(t.Context(), db, indexes()...); err != nil {
		t.Error(err)
	}
	if problems, err := db.Check(t.Context()); err != nil || len(problems) != 0 {
		t.Errorf("check says %q, %v", problems, err)
	}
}
