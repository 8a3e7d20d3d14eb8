package diarytest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/store"
	"kota/store/storetest"
)

// A diaryModel holds the expected entries of a diary: the visible text of each id, and what
// each undo id must restore.
type diaryModel struct {
	d        storetest.Diary
	visible  map[string]string            // id → text; "" if it is deleted
	versions map[string][]string          // id → the texts of its versions
	before   map[string]map[string]string // undo id → id → text before the change
	after    map[string]map[string]string // undo id → id → text after the change
	latest   map[string]string            // id → the undo id of its last change
}

// changed records a change and the new texts of its entries.
func (w *diaryModel) changed(undo string, texts map[string]string) {
	w.before[undo], w.after[undo] = map[string]string{}, map[string]string{}
	for id, text := range texts {
		w.before[undo][id], w.after[undo][id] = w.visible[id], text
		w.visible[id], w.latest[id] = text, undo
		w.versions[id] = append(w.versions[id], text)
	}
}

// randomChangesAgreeWithModel makes random changes to the diary and to the model, and compares
// the two after each change.
func randomChangesAgreeWithModel(t *testing.T, open storetest.Opener) {
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 7))
		db, c := storetest.WithClock(open)
		w := &diaryModel{db.Diary(fmt.Sprint("ann", seed)), map[string]string{}, map[string][]string{}, map[string]map[string]string{}, map[string]map[string]string{}, map[string]string{}}
		ids, undos := []string{}, []string{}
		for n := range 120 {
			c.Set(c.Now().Add(-time.Second)) // the clock is set back in every round
			some := ids
			if len(ids) > 0 {
				random.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
				some = ids[:1+random.IntN(min(3, len(ids)))]
			}
			switch act := random.IntN(6); {
			case act == 0 || len(ids) == 0:
				e := logOne(t, w.d, noteEntry("2026-11-20", fmt.Sprint("made ", n)))
				ids = append(ids, e.ID)
				w.visible[e.ID], w.versions[e.ID] = e.Text, []string{e.Text}
			case act <= 2:
				undos = append(undos, w.edit(t, some[0], fmt.Sprint("edit ", random.IntN(3)))...)
			case act == 3:
				undos = append(undos, w.remove(t, some)...)
			case act == 4 && len(undos) > 0:
				undos = append(undos, w.restore(t, undos[max(0, len(undos)-1-random.IntN(5))])...)
			case act == 5:
				undos = append(undos, w.restoreVersion(t, some[0], 1+random.IntN(len(w.versions[some[0]])))...)
			}
			if random.IntN(8) == 0 { // another query reads indexed rows
				indexNow(t, w.d)
			}
			w.compare(t, fmt.Sprintf("seed %d, change %d", seed, n))
		}
	}
}

func indexNow(t *testing.T, d storetest.Diary) {
	t.Helper()
	if err := d.Index(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (w *diaryModel) edit(t *testing.T, id, text string) []string {
	edited, err := w.d.EditEntry(t.Context(), store.EntryEdit{ID: id, Text: &text})
	if w.visible[id] == "" {
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("edit a deleted entry: %v", err)
		}
		return nil
	}
	if err != nil || edited.Before.Text != w.visible[id] || (edited.Undo == "") != (w.visible[id] == text) {
		t.Fatalf("edit %q to %q: %+v, %v", w.visible[id], text, edited, err)
	}
	if edited.Undo == "" {
		return nil
	}
	w.changed(edited.Undo, map[string]string{id: text})
	return []string{edited.Undo}
}

func (w *diaryModel) remove(t *testing.T, ids []string) []string {
	removed, err := w.d.Delete(t.Context(), ids...)
	texts := map[string]string{}
	for _, id := range ids {
		if w.visible[id] == "" {
			if !errors.Is(err, store.ErrNotFound) {
				t.Errorf("delete a deleted entry: %v", err)
			}
			return nil
		}
		texts[id] = ""
	}
	if err != nil {
		t.Fatal(err)
	}
	w.changed(removed.Undo, texts)
	return []string{removed.Undo}
}

func (w *diaryModel) restore(t *testing.T, undo string) []string {
	restored, err := w.d.Restore(t.Context(), undo)
	changed := false
	for id := range w.before[undo] {
		differs := w.latest[id] != undo && (w.visible[id] != w.after[undo][id] || w.visible[id] == "" && err != nil) // a deleted row may have had another text
		changed = changed || differs
	}
	if changed {
		if !errors.Is(err, store.ErrConflict) {
			t.Errorf("undo %s after a later change: %v", undo, err)
		}
		return nil
	}
	if err != nil || len(restored.IDs) != len(w.before[undo]) {
		t.Fatalf("undo %s: %+v, %v", undo, restored, err)
	}
	texts := map[string]string{}
	for id, text := range w.before[undo] {
		texts[id] = text
	}
	w.changed(restored.Undo, texts)
	return []string{restored.Undo}
}

func (w *diaryModel) restoreVersion(t *testing.T, id string, version int) []string {
	restored, err := w.d.RestoreVersion(t.Context(), id, int64(version), nil)
	if version == len(w.versions[id]) {
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("restore the current version: %v", err)
		}
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	w.changed(restored.Undo, map[string]string{id: w.versions[id][version-1]})
	return []string{restored.Undo}
}

func (w *diaryModel) compare(t *testing.T, after string) {
	t.Helper()
	got := map[string]string{}
	for _, e := range listEntries(t, w.d, store.EntryFilter{}) {
		got[e.ID] = e.Text
		if e.Version != int64(len(w.versions[e.ID])) {
			t.Fatalf("after %s: %s is version %d of %d", after, e.ID, e.Version, len(w.versions[e.ID]))
		}
	}
	for id, text := range w.visible {
		if got[id] != text {
			t.Fatalf("after %s: %s is %q, want %q", after, id, got[id], text)
		}
		history, err := w.d.History(t.Context(), id, 999)
		if err != nil || len(history) != len(w.versions[id])-1 {
			t.Fatalf("after %s: %d changes of %s, want %d, %v", after, len(history), id, len(w.versions[id])-1, err)
		}
		if !slices.IsSortedFunc(history, func(a, b store.Revision) int { return b.At.Compare(a.At) }) {
			t.Errorf("after %s: the history is not sorted by time: %+v", after, history)
		}
	}
}

func editChangesOnlyItsFields(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	e := noteEntry("2026-11-20", "ran")
	e.Metrics, e.Tags, e.Mood, e.Links = map[string]any{"km": 5.0, "rain": true}, []string{"run", "out"}, 3, []string{"event:a"}
	old := logOne(t, d, e)
	edited, err := d.EditEntry(t.Context(), store.EntryEdit{
		ID: old.ID, IfVersion: new(int64(1)), Date: new("2026-11-19"), Text: new("ran far"), Mood: new(0), Energy: new(4),
		Metrics: map[string]any{"Km": 6.5, "rain": nil, "wind": false}, AddTags: []string{"wind"}, RemoveTags: []string{"out"}, AddLinks: []string{"memory:shoes"}, RemoveLinks: []string{"event:a"},
	})
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(edited.After.Date, edited.After.Text, edited.After.Mood, edited.After.Energy, edited.After.Metrics, edited.After.Tags, edited.After.Links, edited.After.Type, edited.After.Version)
	if want := `2026-11-19ran far0 4 map[km:6.5 wind:false] [run wind] [memory:shoes]note2`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	_, err = d.EditEntry(t.Context(), store.EntryEdit{ID: old.ID, IfVersion: new(int64(1)), Text: new("x")})
	if changed := (*store.ChangedError)(nil); !errors.As(err, &changed) || changed.Version != 2 || changed.ID != old.ID {
		t.Errorf("with an earlier version: %v", err)
	}
	for _, bad := range []store.EntryEdit{{Date: new("2026-02-30")}, {Mood: new(9)}, {Metrics: map[string]any{"a": "b"}}, {AddLinks: []string{"x"}}} {
		bad.ID = old.ID
		if _, err := d.EditEntry(t.Context(), bad); !errors.Is(err, store.ErrInvalid) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	if history, err := d.History(t.Context(), old.ID, 9); err != nil || len(history) != 1 || history[0].Operation != "edit" || history[0].Undo != edited.Undo {
		t.Errorf("history %+v, %v", history, err)
	}
}

func editRemovesTagsInAnySpelling(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	e := noteEntry("2026-11-20", "ran")
	e.Tags = []string{"Work", "home"}
	edited, err := d.EditEntry(t.Context(), store.EntryEdit{ID: logOne(t, d, e).ID, AddTags: []string{"#run", "out"}, RemoveTags: []string{"#work", "Run"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(edited.After.Tags, " "); got != "home out" {
		t.Errorf("left: %s", got)
	}
}

// Fields that were empty are empty again after a restore.
func restoredEntryEqualsTheOriginal(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	full := noteEntry("2026-11-20", "full")
	full.Metrics, full.Tags, full.Links, full.Mood, full.Backfilled = map[string]any{"km": 5.5, "rain": true}, []string{"run"}, []string{"event:a"}, 4, true
	for _, old := range logAll(t, d, noteEntry("2026-11-20", "bare"), full) {
		removed, err := d.Delete(t.Context(), old.ID)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Restore(t.Context(), removed.Undo); err != nil {
			t.Fatal(err)
		}
		got, err := d.Entry(t.Context(), old.ID)
		old.Version, old.Updated = 3, got.Updated
		if diff := cmp.Diff(old, got); diff != "" || err != nil {
			t.Errorf("%v: %s", err, diff)
		}
	}
}
