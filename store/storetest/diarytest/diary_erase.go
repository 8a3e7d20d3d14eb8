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
	d := open(time.Now).Diary("ann")
	last := logOne(t, d, noteEntry("2026-11-20", "x")).ID
	if erased, err := d.Erase(t.Context(), []string{last}, false); err != nil || !erased.Complete {
		t.Fatal(erased, err)
	}
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
