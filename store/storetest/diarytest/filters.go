package diarytest

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"kota/store"
	"kota/store/storetest"
)

var filtersContract = storetest.Contract{
	"filters of entries compare exactly":        entryFiltersCompareExactly,
	"filters of documents compare exactly":      documentFiltersCompareExactly,
	"labels of any text are found":              labelsOfAnyTextAreFound,
	"metrics of any name are found":             metricsOfAnyNameAreFound,
	"days are listed in order":                  daysAreListedInOrder,
	"a change of rows of two kinds is one undo": changesOfTwoKindsAreOneUndo,
	"a preview says what an undo does":          previewsOfTheDiarySayWhatAnUndoDoes,
}

func entryFiltersCompareExactly(t *testing.T, open storetest.Opener) {
	db, _ := storetest.WithClock(open)
	d := db.Diary("ann")
	for _, text := range []string{"a", "b"} {
		e := noteEntry("2026-11-20", text)
		e.Section, e.Links, e.Tags = "Section "+text, []string{"event:" + text}, []string{"Tag_" + text, "ÄRGER " + text}
		logOne(t, d, e)
	}
	for _, tt := range []struct {
		f    store.EntryFilter
		want string
	}{
		{store.EntryFilter{Section: "Section a"}, "a"},
		{store.EntryFilter{Section: "section a"}, ""},
		{store.EntryFilter{Section: "Section"}, ""},
		{store.EntryFilter{Link: "event:a"}, "a"},
		{store.EntryFilter{Link: "event:"}, ""},
		{store.EntryFilter{Tags: []string{"tag_A"}}, "a"},
		{store.EntryFilter{Tags: []string{"tagxa"}}, ""},
		{store.EntryFilter{Tags: []string{"ÄRGER a"}}, "a"},
		{store.EntryFilter{Tags: []string{"ärger a"}}, ""}, // only the case of ASCII is ignored
		{store.EntryFilter{Tags: []string{"Tag_a", "Tag_b"}}, ""},
	} {
		if got := textsOf(listEntries(t, d, tt.f)); got != tt.want {
			t.Errorf("%+v lists %q, want %q", tt.f, got, tt.want)
		}
	}
}

func labelsOfAnyTextAreFound(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	texts := append([]string{"\uf8ff", "\uf8ff0", `\u0000`, "back\\\x00slash", "a\"b", "\xff\xfe"}, storetest.SpecialTexts...)
	for _, text := range texts {
		e := noteEntry("2026-11-20", "x")
		e.Section, e.Links, e.Tags = text, []string{"event:" + text}, []string{"first", text}
		logged, err := d.Log(t.Context(), store.LogRequest{Entries: []store.DayEntry{e}})
		if err != nil {
			if !errors.Is(err, store.ErrInvalid) {
				t.Errorf("log %q: %v", text, err)
			}
			continue
		}
		want := logged.Entries[0]
		for what, f := range map[string]store.EntryFilter{"section": {Section: text}, "tag": {Tags: []string{text}}, "link": {Link: "event:" + text}} {
			found := false
			for _, got := range listEntries(t, d, f) {
				found = found || got.ID == want.ID
				if what == "section" && got.Section != want.Section || what == "link" && !slices.Equal(got.Links, want.Links) {
					t.Errorf("the %s %q finds %+v", what, text, got)
				}
			}
			if !found {
				t.Errorf("the %s %q finds nothing", what, text)
			}
		}
	}
}

func metricsOfAnyNameAreFound(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	for i, name := range []string{"5", "0", "Größe", "漢字", "a b", "null", "true", "e\u0301", "ᾳ"} {
		e := noteEntry("2026-11-20", name)
		e.Metrics = map[string]any{name: float64(i), name + "x": true}
		logged := logOne(t, d, e)
		got := listEntries(t, d, store.EntryFilter{Metrics: []store.MetricRange{{Name: name, Min: new(float64(i)), Max: new(float64(i))}, {Name: name + "x", Min: new(0.5)}}})
		if len(got) != 1 || got[0].ID != logged.ID {
			t.Errorf("%q finds %s", name, textsOf(got))
		}
		days := mustReturn[[]store.PeriodSummary](t)(d.Measure(t.Context(), name, store.EntryFilter{}))
		if len(days) != 1 || days[0].Sum != float64(i) || days[0].Count != 1 {
			t.Errorf("%q measures %+v", name, days)
		}
	}
}

func documentFiltersCompareExactly(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	for _, period := range []string{"2026-W47", "2026-W48", "2026-11", "2026-11-20"} {
		saveDocument(t, d, weekReview(period, "x"))
	}
	for period, want := range map[string]int{"2026-W47": 1, "2026-W4": 0, "2026-11": 1, "2026": 0, " 2026-11-20 ": 1} {
		found, err := d.Documents(t.Context(), store.DocumentFilter{Period: period}, 9)
		if err != nil || len(found) != want {
			t.Errorf("period %q: %d documents, %v", period, len(found), err)
		}
	}
}

func daysAreListedInOrder(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	want := []string{"2025-12-31", "2026-01-01", "2026-11-20"}
	for _, date := range []string{"2026-01-01", "2026-11-20", "2025-12-31", "2026-01-01"} {
		e := noteEntry(date, "x")
		e.Mood, e.Metrics = 3, map[string]any{"km": 1.5}
		logOne(t, d, e)
	}
	for _, metric := range []string{"mood", "km"} {
		dates := []string{}
		for _, one := range mustReturn[[]store.PeriodSummary](t)(d.Measure(t.Context(), metric, store.EntryFilter{})) {
			dates = append(dates, one.Period)
		}
		if !slices.Equal(dates, want) {
			t.Errorf("%s is listed by %q", metric, dates)
		}
	}
	dates := []string{}
	for _, one := range mustReturn[[]store.DaySummary](t)(d.Days(t.Context(), store.EntryFilter{})) {
		dates = append(dates, one.Date)
	}
	if !slices.Equal(dates, want) {
		t.Errorf("the days are %q", dates)
	}
}

// One call logged entries and tasks, and another one deleted them.
func changesOfTwoKindsAreOneUndo(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	d := db.Diary("ann")
	logged := mustReturn[store.LogResult](t)(d.Log(t.Context(), store.LogRequest{
		Entries: []store.DayEntry{noteEntry("2026-11-20", "x")}, Tasks: []store.Task{{Text: "y", Added: "2026-11-20"}, {Text: "z", Added: "2026-11-20"}},
	}))
	ids := []string{logged.Tasks[1].ID, logged.Entries[0].ID, logged.Tasks[0].ID}
	c.Set(c.Now().Add(time.Minute))
	deleted := mustReturn[store.DiaryDeleteResult](t)(d.Delete(t.Context(), ids...))
	changes := mustReturn[[]store.UndoableChange](t)(d.Undoable(t.Context(), 9))
	if len(changes) < 1 || changes[0].Undo != deleted.Undo || changes[0].Rows != 3 || slices.ContainsFunc(changes[1:], func(one store.UndoableChange) bool { return one.Undo == deleted.Undo }) {
		t.Errorf("the changes are %+v", changes)
	}
	checkPreview(t, d, deleted.Undo, []string{"", "", ""}, []string{"x", "y", "z"})
	restored := mustReturn[store.RestoreResult](t)(d.Restore(t.Context(), deleted.Undo))
	if !slices.Equal(restored.IDs, ids) {
		t.Errorf("restored %q, want %q", restored.IDs, ids)
	}
}

// checkPreview checks the texts of the preview of an undo, in any order; "" stands for a deleted row.
func checkPreview(t *testing.T, d storetest.Diary, undo string, now, then []string) {
	t.Helper()
	text := func(row *json.RawMessage) string {
		one := store.DayEntry{}
		if row != nil {
			if err := json.Unmarshal(*row, &one); err != nil {
				t.Fatal(err)
			}
		}
		return one.Text
	}
	var gotNow, gotThen []string
	for _, one := range mustReturn[[]store.UndoPreview[json.RawMessage]](t)(d.PreviewUndo(t.Context(), undo)) {
		gotNow, gotThen = append(gotNow, text(one.Now)), append(gotThen, text(one.Then))
	}
	slices.Sort(gotNow)
	slices.Sort(gotThen)
	if !slices.Equal(gotNow, now) || !slices.Equal(gotThen, then) {
		t.Errorf("the preview of %s: from %q to %q, want from %q to %q", undo, gotNow, gotThen, now, then)
	}
}

func previewsOfTheDiarySayWhatAnUndoDoes(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	d := db.Diary("ann")
	logged := mustReturn[store.LogResult](t)(d.Log(t.Context(), store.LogRequest{Entries: []store.DayEntry{noteEntry("2026-11-20", "bread")}}))
	id, rolls := logged.Entries[0].ID, "rolls"
	checkPreview(t, d, logged.Undo, []string{"bread"}, []string{""})
	c.Set(c.Now().Add(time.Minute))
	edited := mustReturn[store.EditResult[store.DayEntry]](t)(d.EditEntry(t.Context(), store.EntryEdit{ID: id, Text: &rolls}))
	checkPreview(t, d, edited.Undo, []string{"rolls"}, []string{"bread"})
	restored := mustReturn[store.RestoreResult](t)(d.Restore(t.Context(), edited.Undo))
	checkPreview(t, d, restored.Undo, []string{"bread"}, []string{"rolls"})
	for _, undo := range []string{store.DiaryID(store.UndoPrefix, 999), store.DiaryID(store.EntryPrefix, 999), "nonsense", ""} {
		if found, err := d.PreviewUndo(t.Context(), undo); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("the preview of %q: %v, %v", undo, found, err)
		}
	}
	if found, err := db.Diary("bob").PreviewUndo(t.Context(), edited.Undo); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("another tenant's preview: %v, %v", found, err)
	}
}
