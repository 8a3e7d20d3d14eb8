package diarytest

import (
	"errors"
	"slices"
	"testing"
	"time"

	"kota/store"
	"kota/store/storetest"
)

func erasedIDIsNotReused(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	d := db.Diary("ann")
	last := logOne(t, d, noteEntry("2026-11-20", "x")).ID
	erased, err := d.Erase(t.Context(), []string{last}, false)
	if err != nil || !slices.Equal(erased.Keys, []string{last}) {
		t.Fatal(erased, err)
	}
	db.Properties().CheckErased(t, erased)
	if next := logOne(t, open(time.Now).Diary("ann"), noteEntry("2026-11-20", "y")).ID; next == last {
		t.Errorf("another entry has the id %s", next)
	}
}

func undoOfACreationDeletesTheRowsNotErased(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	logged, err := d.Log(t.Context(), store.LogRequest{
		Entries: []store.DayEntry{noteEntry("2026-11-20", "x"), noteEntry("2026-11-20", "y")}, Tasks: []store.Task{{Text: "call", Added: "2026-11-20"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	erased, left := []string{logged.Entries[0].ID, logged.Tasks[0].ID}, []string{logged.Entries[1].ID}
	if _, err := d.Erase(t.Context(), erased, false); err != nil {
		t.Fatal(err)
	}
	restored, err := d.Restore(t.Context(), logged.Undo)
	if err != nil || !slices.Equal(restored.IDs, left) || !restored.Deleted {
		t.Errorf("got %+v, %v", restored, err)
	}
	if _, err := d.Restore(t.Context(), restored.Undo); err != nil {
		t.Errorf("undo of the undo: %v", err)
	}
	if _, err := d.Erase(t.Context(), left, false); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Restore(t.Context(), logged.Undo); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("with no row left: %v", err)
	}
}

// An erased row has no version and no hit, and the key of the call that logged it is free.
func erasedRowsAreGone(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	d := db.Diary("ann")
	request := store.LogRequest{
		Entries: []store.DayEntry{noteEntry("2026-11-20", "marzipan"), noteEntry("2026-11-20", "stays")}, Tasks: []store.Task{{Text: "marzipan", Added: "2026-11-20"}}, Key: "k",
	}
	logged := mustReturn[store.LogResult](t)(d.Log(t.Context(), request))
	entry, task, stays := logged.Entries[0].ID, logged.Tasks[0].ID, logged.Entries[1].ID
	cake := "marzipan cake"
	edited := mustReturn[store.EditResult[store.DayEntry]](t)(d.EditEntry(t.Context(), store.EntryEdit{ID: entry, Text: &cake}))
	if err := d.Index(t.Context()); err != nil {
		t.Fatal(err)
	}
	deleted := mustReturn[store.DiaryDeleteResult](t)(d.Delete(t.Context(), entry, task, stays))
	dry, err := d.Erase(t.Context(), []string{entry, task}, true)
	if err != nil || !slices.Equal(dry.Keys, []string{entry, task}) || dry.Complete {
		t.Fatalf("dry run: %+v, %v", dry, err)
	}
	if _, err := d.Erase(t.Context(), []string{entry, "e000000"}, false); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("one of them unknown: %v", err)
	}
	erased, err := d.Erase(t.Context(), []string{entry, task}, false)
	if err != nil || !slices.Equal(erased.Keys, dry.Keys) {
		t.Fatalf("erased %+v, %v", erased, err)
	}
	db.Properties().CheckErased(t, erased)
	_, edit := d.Restore(t.Context(), edited.Undo)
	for _, id := range []string{entry, task} {
		_, history := d.History(t.Context(), id, 9)
		_, version := d.RestoreVersion(t.Context(), id, 1, nil)
		_, again := d.Erase(t.Context(), []string{id}, false)
		for what, err := range map[string]error{"history": history, "version": version, "undo of the edit": edit, "erased again": again} {
			if !errors.Is(err, store.ErrNotFound) {
				t.Errorf("%s of %s: %v", what, id, err)
			}
		}
	}
	if restored, err := d.Restore(t.Context(), deleted.Undo); err != nil || !slices.Equal(restored.IDs, []string{stays}) {
		t.Errorf("the rest of the deletion: %+v, %v", restored, err)
	}
	if found := searchEntries(t, d, "marzipan", store.EntryFilter{}); len(found.Hits) != 0 {
		t.Errorf("found %+v", found)
	}
	request.Entries = request.Entries[1:] // another request
	if repeated, err := d.Log(t.Context(), request); err != nil || repeated.Repeated {
		t.Errorf("the key is still in use: %+v, %v", repeated, err)
	}
}

func deleteVersionDeletesOnlyThatVersion(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	d := db.Diary("ann")
	e := logOne(t, d, noteEntry("2026-11-20", "x"))
	y := "y"
	mustReturn[store.EditResult[store.DayEntry]](t)(d.EditEntry(t.Context(), store.EntryEdit{ID: e.ID, Text: &y}))
	for _, version := range []int64{0, 1, 3} {
		changed := (*store.ChangedError)(nil)
		if _, err := d.DeleteVersion(t.Context(), e.ID, version); !errors.As(err, &changed) || changed.Version != 2 || changed.ID != e.ID {
			t.Errorf("version %d: %v", version, err)
		}
	}
	if _, err := db.Diary("bob").DeleteVersion(t.Context(), e.ID, 2); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("another tenant: %v", err)
	}
	deleted, err := d.DeleteVersion(t.Context(), e.ID, 2)
	if err != nil || !slices.Equal(deleted.IDs, []string{e.ID}) || deleted.Undo == "" {
		t.Fatalf("got %+v, %v", deleted, err)
	}
	if _, err := d.DeleteVersion(t.Context(), e.ID, 3); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("deleted again: %v", err)
	}
	if restored, err := d.Restore(t.Context(), deleted.Undo); err != nil || !slices.Equal(restored.IDs, deleted.IDs) {
		t.Errorf("restored %+v, %v", restored, err)
	}
}
