package diarytest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"kota/store"
	"kota/store/storetest"
)

func searchEntries(t testing.TB, d storetest.Diary, text string, f store.EntryFilter) store.SearchResult[store.DayEntry] {
	t.Helper()
	found, err := d.SearchEntries(t.Context(), store.DiaryQuery{Text: text, Limit: 10}, f)
	if err != nil {
		t.Fatalf("search %q: %v", text, err)
	}
	return found
}

func foundTexts(f store.SearchResult[store.DayEntry]) string {
	entries := []*store.DayEntry{}
	for _, hit := range f.Hits {
		entries = append(entries, hit.Row)
	}
	return textsOf(entries)
}

func entriesAreFoundInAnyAlphabet(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	for _, text := range storetest.SpecialTexts {
		d := db.Diary(text) // other owners have entries with the same words
		logAll(t, d, noteEntry("2026-11-20", "nothing of the kind"), noteEntry("2026-11-20", "it says "+text+" there"))
		if got := foundTexts(searchEntries(t, d, text, store.EntryFilter{})); !strings.Contains(got, "it says") {
			t.Errorf("%q: found %q", text, got)
		}
	}
}

func searchFindsTheMatchingEntry(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	d := db.Diary("ann")
	run := noteEntry("2026-11-18", "Ran along the river with Priya, felt great")
	run.Type, run.Metrics, run.Tags = "activity", map[string]any{"distance_km": 8.0}, []string{"outdoors"}
	short := noteEntry("2026-11-10", "Ran a short loop")
	short.Type, short.Metrics = "activity", map[string]any{"distance_km": 3.0}
	lunch := noteEntry("2026-11-20", "Lentil soup at the canteen")
	lunch.Type, lunch.Section = "food", "lunch"
	old := noteEntry("2025-11-20", "Lentil soup at the canteen, too salty")
	weighed := store.DayEntry{Date: "2026-11-20", Zone: "UTC", Type: "health", Metrics: map[string]any{"body_weight": 81.0}}
	logAll(t, d, run, short, lunch, old, weighed, noteEntry("2026-11-19", "Zahnarzt angerufen"), noteEntry("2026-11-19", "我的牙医说没问题"))
	logOne(t, db.Diary("bob"), noteEntry("2026-11-20", "Lentil soup of another"))
	indexNow(t, d)
	c.Set(c.Now().Add(time.Minute))
	for query, want := range map[string]string{
		"running by the rivver": run.Text, "outdoors": run.Text, "lunch": lunch.Text, "too salty soup": old.Text,
		"牙医": "我的牙医说没问题", "zahnartz": "Zahnarzt angerufen", "distance km priya": run.Text, "body weight": "",
	} {
		if got := searchEntries(t, d, query, store.EntryFilter{}); len(got.Hits) == 0 || got.Hits[0].Row.Text != want {
			t.Errorf("%q: got %s", query, foundTexts(got))
		}
	}
	for _, of := range []struct {
		query string
		f     store.EntryFilter
		want  string
	}{
		{"lentil soup", store.EntryFilter{From: "2026-01-01"}, lunch.Text},
		{"lentil soup", store.EntryFilter{To: "2025-12-31"}, old.Text},
		{"ran", store.EntryFilter{Metrics: []store.MetricRange{{Name: "distance_km", Min: new(5.0)}}}, run.Text},
		{"ran", store.EntryFilter{Type: "Activity", Tags: []string{"outdoors"}}, run.Text},
		{"ran", store.EntryFilter{Tags: []string{"#Outdoors"}}, run.Text},
		{"soup", store.EntryFilter{Type: "activity"}, ""},
	} {
		if got := searchEntries(t, d, of.query, of.f); foundTexts(got) != of.want {
			t.Errorf("%q among %+v: got %s", of.query, of.f, foundTexts(got))
		}
	}
	if got := searchEntries(t, d, "ran with priya", store.EntryFilter{}); got.Confidence != store.ConfidenceHigh || got.Hits[0].MatchKind != store.MatchWord {
		t.Errorf("high confidence: %+v", got)
	}
	if got := searchEntries(t, d, "symphony orchestra", store.EntryFilter{}); got.Confidence != store.ConfidenceNone {
		t.Errorf("nothing: %+v", got)
	}
}

func searchSeesEveryEarlierChange(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	e := logOne(t, d, noteEntry("2026-11-20", "first words"))
	edited, err := d.EditEntry(t.Context(), store.EntryEdit{ID: e.ID, Text: new("second thoughts")})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := foundTexts(searchEntries(t, d, "first words", store.EntryFilter{})), foundTexts(searchEntries(t, d, "second thoughts", store.EntryFilter{})); a != "" || b != "second thoughts" {
		t.Errorf("after the edit: %q and %q", a, b)
	}
	removed, err := d.Delete(t.Context(), e.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got := foundTexts(searchEntries(t, d, "second", store.EntryFilter{})); got != "" {
		t.Errorf("deleted: %q", got)
	}
	for _, back := range []struct{ undo, words, want string }{{removed.Undo, "second", "second thoughts"}, {edited.Undo, "first", "first words"}} {
		if _, err := d.Restore(t.Context(), back.undo); err != nil {
			t.Fatal(err)
		}
		if got := foundTexts(searchEntries(t, d, back.words, store.EntryFilter{})); got != back.want {
			t.Errorf("restored: %q", got)
		}
	}
}

// The latest entry is the one that happened last, not the one that was logged last.
func searchPrefersTheLatestOfEquals(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	d := db.Diary("ann")
	day := func(before int) string { return c.Now().AddDate(0, 0, -before).Format(time.DateOnly) }
	untimed := store.DayEntry{Zone: "UTC", Type: "note", Text: "coffee without a time", Date: day(30)}
	logAll(t, d, noteEntry(day(1), "coffee of now"))
	for _, e := range []store.DayEntry{untimed, noteEntry(day(300), "coffee of then")} {
		c.Set(c.Now().Add(time.Hour))
		logOne(t, d, e)
	}
	if got := foundTexts(searchEntries(t, d, "coffee", store.EntryFilter{})); got != "coffee of now coffee without a time coffee of then" {
		t.Errorf("got %q", got)
	}
}

func searchPagesAreConsecutive(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	entries := []store.DayEntry{}
	for i := range 25 {
		entries = append(entries, noteEntry("2026-11-20", fmt.Sprint("coffee ", i)))
	}
	logAll(t, d, entries...)
	seen, q := map[string]bool{}, store.DiaryQuery{Text: "coffee", Limit: 10}
	for parts := 0; parts == 0 || q.Cursor != ""; parts++ {
		found, err := d.SearchEntries(t.Context(), q, store.EntryFilter{})
		if err != nil || parts > 3 {
			t.Fatal(parts, err)
		}
		for _, hit := range found.Hits {
			seen[hit.Row.ID] = true
		}
		q.Cursor = found.Next
	}
	if len(seen) != 25 {
		t.Errorf("saw %d of 25", len(seen))
	}
	for _, bad := range []store.DiaryQuery{{Text: " ", Limit: 1}, {Text: "x"}, {Text: "x", Limit: 1, Cursor: "y"}, {Text: "x", Limit: 1, Cursor: `[1,"y"]`}, {Text: "x", Limit: 1, Cursor: `[-1,"x"]`}} {
		if _, err := d.SearchEntries(t.Context(), bad, store.EntryFilter{}); !errors.Is(err, store.ErrInvalid) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}
