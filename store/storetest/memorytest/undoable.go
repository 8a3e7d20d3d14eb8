package memorytest

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kota/store"
	"kota/store/storetest"
)

// An undone change is not listed, unless the undo was undone too. Undoing it again says that it was
// undone.
func undoneChangesAreNotListed(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	m, d := db.Memories("ann"), db.Diary("ann")
	listed := func() []string {
		t.Helper()
		memories, err := m.Undoable(t.Context(), 10)
		if err != nil {
			t.Fatal(err)
		}
		diary, err := d.Undoable(t.Context(), 10)
		if err != nil {
			t.Fatal(err)
		}
		acts := []string{}
		for _, act := range append(memories, diary...) {
			acts = append(acts, act.Operation)
		}
		return acts
	}
	undone := func(undo string) (again string) {
		t.Helper()
		c.Set(c.Now().Add(1e9))
		if written, err := m.Restore(t.Context(), undo); err == nil {
			return written[0].Undo
		}
		restored, err := d.Restore(t.Context(), undo)
		if err != nil {
			t.Fatal(err)
		}
		return restored.Undo
	}
	isUndone := func(undo string, want bool) {
		t.Helper()
		_, memoryErr := m.Restore(t.Context(), undo)
		_, diaryErr := d.Restore(t.Context(), undo)
		err := (*store.UndoneError)(nil)
		if got := errors.As(errors.Join(memoryErr, diaryErr), &err); got != want || got && !err.At.Equal(c.Now()) {
			t.Errorf("undo %s again: %v, %v", undo, memoryErr, diaryErr)
		}
	}
	holds := func(when string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, listed()); diff != "" {
			t.Errorf("%s: %s", when, diff)
		}
	}
	made := set(t, m, store.Entry{Key: "theme", Value: jsonText("dark")})
	c.Set(c.Now().Add(1e9))
	changed := set(t, m, store.Entry{Key: "theme", Value: jsonText("light")})
	logged, err := d.Log(t.Context(), store.LogRequest{Entries: []store.DayEntry{{Date: "2026-11-21", Zone: "UTC", Type: "note", Text: "bread"}}})
	if err != nil {
		t.Fatal(err)
	}
	rolls := "rolls"
	c.Set(c.Now().Add(1e9))
	edited, err := d.EditEntry(t.Context(), store.EntryEdit{ID: logged.Entries[0].ID, Text: &rolls})
	if err != nil {
		t.Fatal(err)
	}
	holds("before any undo", "set", "create", "edit", "create")
	isUndone(made.Undo, false)
	first, second := undone(changed.Undo), undone(edited.Undo)
	holds("both undone", "restore", "create", "restore", "create")
	isUndone(edited.Undo, true)
	third := undone(first)
	isUndone(first, true)
	holds("the first undo undone", "restore", "set", "create", "restore", "create")
	undone(third)
	isUndone(changed.Undo, true)
	holds("undone again", "restore", "restore", "create", "restore", "create")
	undone(second)
	holds("the undo in the diary undone", "restore", "restore", "create", "restore", "edit", "create")
	undone(made.Undo)
	holds("the creation undone", "restore", "restore", "restore", "restore", "edit", "create")
	isUndone(made.Undo, true)
	again := set(t, m, store.Entry{Key: "theme", Value: jsonText("blue")})
	set(t, m, store.Entry{Key: "theme", Value: jsonText("grey")})
	isUndone(again.Undo, false)
	isUndone(made.Undo, false) // theme exists again
}

func previewsSayWhatAnUndoDoes(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	m := db.Memories("ann")
	keys := []string{"theme", "boss", "chief", "brief"}
	visible := func() map[string]string {
		values := map[string]string{}
		for _, key := range keys {
			if one, err := m.Get(t.Context(), key); err == nil {
				values[key] = string(one.Value)
			}
		}
		return values
	}
	var undos []string
	write := func(e store.Entry) {
		c.Set(c.Now().Add(1e9))
		undos = append(undos, set(t, m, e).Undo)
	}
	write(store.Entry{Key: "theme", Value: jsonText("dark")})
	write(store.Entry{Key: "theme", Value: jsonText("light")})
	write(store.Entry{Key: "boss", Value: jsonText("Eve")})
	write(store.Entry{Key: "brief", Value: jsonText("x")})
	renamed, err := m.Update(t.Context(), store.Edit{Key: "boss", RenameTo: "chief"})
	if err != nil {
		t.Fatal(err)
	}
	c.Set(c.Now().Add(1e9))
	deleted, err := m.Delete(t.Context(), store.Target{Filter: store.Filter{Before: c.Now()}}, false)
	if err != nil || len(deleted.Keys) != 3 {
		t.Fatalf("deleted %q, %v", deleted.Keys, err)
	}
	undos = append(undos, renamed.Undo, deleted.Undo)
	c.Set(c.Now().Add(1e9))
	for len(undos) > 0 { // the last first
		undo := undos[len(undos)-1]
		undos = undos[:len(undos)-1]
		preview, err := m.PreviewUndo(t.Context(), undo)
		if err != nil {
			t.Fatal(err)
		}
		want := visible()
		for _, one := range preview {
			if one.Now != nil {
				if want[one.Now.Key] != string(one.Now.Value) {
					t.Errorf("%s: the preview says that %s is %s now", undo, one.Now.Key, one.Now.Value)
				}
				delete(want, one.Now.Key)
			}
		}
		for _, one := range preview {
			if one.Then != nil {
				want[one.Then.Key] = string(one.Then.Value)
			}
		}
		c.Set(c.Now().Add(1e9))
		if _, err := m.Restore(t.Context(), undo); err != nil {
			t.Fatalf("undo %s: %v", undo, err)
		}
		if diff := cmp.Diff(want, visible()); diff != "" {
			t.Errorf("the preview of %s said something else: %s", undo, diff)
		}
	}
	for _, undo := range []string{"u99999", "c7-0k3f", "nonsense"} {
		if found, err := m.PreviewUndo(t.Context(), undo); err == nil {
			t.Errorf("the preview of %s: %+v", undo, found)
		}
		if found, err := db.Memories("bob").PreviewUndo(t.Context(), undo); err == nil {
			t.Errorf("another tenant's preview of %s: %+v", undo, found)
		}
	}
}
