package diarytest

import (
	"strings"
	"testing"

	"kota/store"
	"kota/store/storetest"
)

var ordersContract = storetest.Contract{
	"entries with equal times have an order":   entriesWithEqualTimesHaveAnOrder,
	"documents with equal times have an order": documentsWithEqualTimesHaveAnOrder,
	"names of types and metrics have an order": namesHaveAnOrder,
}

func entriesWithEqualTimesHaveAnOrder(t *testing.T, open storetest.Opener) {
	db, _ := storetest.WithClock(open)
	d := db.Diary("ann")
	for _, text := range []string{"c", "a", "b"} {
		logOne(t, d, noteEntry("2026-11-20", text))
		logOne(t, d, noteEntry("2025-11-20", text))
	}
	for _, text := range []string{"y", "x"} { // entries of a day without a time come last
		e := noteEntry("2026-11-20", text)
		e.Moment = store.DayEntry{}.Moment
		logOne(t, d, e)
	}
	for _, indexed := range []bool{false, true} {
		for newest, want := range map[bool]string{false: "cabcabyx", true: "xybacbac"} {
			got := ""
			for page := (store.EntryPage{Newest: newest, Limit: 2}); ; {
				part, next, err := d.Entries(t.Context(), store.EntryFilter{}, page)
				if err != nil {
					t.Fatal(err)
				}
				got += strings.ReplaceAll(textsOf(part), " ", "")
				if page.Cursor = next; next == "" {
					break
				}
			}
			if got != want {
				t.Errorf("indexed %t, newest first %t: %s, want %s", indexed, newest, got, want)
			}
		}
		for limit, want := range []string{"", "c", "c a", "c a b", "c a b"} {
			if limit == 0 {
				continue
			}
			if got := textsOf(mustReturn[[]*store.DayEntry](t)(d.OnThisDay(t.Context(), "2026-11-20", limit))); got != want {
				t.Errorf("indexed %t, in other years with limit %d: %s, want %s", indexed, limit, got, want)
			}
		}
		if err := d.Index(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	changes := mustReturn[[]store.UndoableChange](t)(d.Undoable(t.Context(), 3))
	if len(changes) != 3 || changes[0].Subject != "x" || changes[1].Subject != "y" || changes[2].Subject != "b" {
		t.Errorf("the changes are %+v", changes)
	}
}

func documentsWithEqualTimesHaveAnOrder(t *testing.T, open storetest.Opener) {
	db, _ := storetest.WithClock(open)
	d := db.Diary("ann")
	for _, title := range []string{"c", "a", "b"} {
		saveDocument(t, d, store.DocumentSave{Document: store.Document{Type: "note", Title: title, Body: "x", Fields: []byte(`{}`)}})
	}
	for limit, want := range []string{"", "b", "ba", "bac"} {
		if limit == 0 {
			continue
		}
		got := ""
		for _, one := range mustReturn[[]*store.Document](t)(d.Documents(t.Context(), store.DocumentFilter{}, limit)) {
			got += one.Title
		}
		if got != want {
			t.Errorf("limit %d: %s, want %s", limit, got, want)
		}
	}
}

// Equally frequent types are ordered by name, and names by their bytes: "_" comes before "a", and
// "ä" after "z".
func namesHaveAnOrder(t *testing.T, open storetest.Opener) {
	db, _ := storetest.WithClock(open)
	d := db.Diary("ann")
	for _, name := range []string{"zoo", "ärzte", "a_b", "ab", "often", "a1"} {
		e := noteEntry("2026-11-20", "x")
		e.Type, e.Metrics = name, map[string]any{name: 1.0}
		logOne(t, d, e)
	}
	e := noteEntry("2026-11-20", "x")
	e.Type = "often"
	logOne(t, d, e)
	types, metrics := []string{}, []string{}
	for _, one := range mustReturn[[]store.TypeCount](t)(d.Types(t.Context(), store.EntryFilter{})) {
		types = append(types, one.Type)
	}
	for _, one := range mustReturn[[]store.MetricSummary](t)(d.Measures(t.Context(), store.EntryFilter{})) {
		metrics = append(metrics, one.Name)
	}
	if got, want := strings.Join(types, " "), "often a1 a_b ab zoo ärzte"; got != want {
		t.Errorf("the types are %s, want %s", got, want)
	}
	if got, want := strings.Join(metrics, " "), "a1 a_b ab often zoo ärzte"; got != want {
		t.Errorf("the metrics are %s, want %s", got, want)
	}
}
