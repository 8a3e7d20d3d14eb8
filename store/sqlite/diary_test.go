package sqlite_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kota/store"
	"kota/store/tables/diary"
)

func FuzzEntriesRoundTrip(f *testing.F) {
	for _, seed := range []string{"C++", "'; DROP TABLE entries; --", "\x00", "a\x00b", "\xff\xfe", "日本語", "e\u0301", "\u202e", `{"a":1}`, strings.Repeat("x", 300)} {
		f.Add(seed, 1.5)
	}
	db := open(f)
	f.Fuzz(func(t *testing.T, text string, number float64) {
		d := diary.New(db, t.Name())
		e := noteEntry("2026-11-20", text)
		e.Section, e.Tags, e.Links, e.Metrics = text, []string{text, "a"}, []string{"event:" + text}, map[string]any{"n": number}
		logged, err := d.Log(t.Context(), store.LogRequest{Entries: []store.DayEntry{e}, Key: fmt.Sprint(number, text)})
		if errors.Is(err, store.ErrInvalid) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := d.Entry(t.Context(), logged.Entries[0].ID)
		if diff := cmp.Diff(logged.Entries[0], got); diff != "" || err != nil {
			t.Errorf("%v: %s", err, diff)
		}
		if found := listEntries(t, d, store.EntryFilter{Section: text, Tags: []string{text}, Link: "event:" + text, Metrics: []store.MetricRange{{Name: "n", Min: &number, Max: &number}}}); len(found) == 0 {
			t.Errorf("%q was not listed", text)
		}
		if _, err := d.SearchEntries(t.Context(), store.DiaryQuery{Text: "a " + text, Limit: 3}, store.EntryFilter{}); err != nil {
			t.Error(err)
		}
		if again, err := d.Log(t.Context(), store.LogRequest{Entries: []store.DayEntry{e}, Key: fmt.Sprint(number, text)}); err != nil || !again.Repeated {
			t.Errorf("logged again: %+v, %v", again, err)
		}
	})
}
