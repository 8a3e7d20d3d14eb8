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
