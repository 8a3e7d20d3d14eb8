package diarytest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/store"
	"kota/store/storetest"
)

func untimedEntryIsLastOnItsDay(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	someday, next, late := noteEntry("2026-11-20", "someday"), noteEntry("2026-11-21", "next"), noteEntry("2026-11-20", "late")
	someday.Moment, late.Moment = time.Time{}, late.Moment.Add(11*time.Hour)
	again := someday
	again.Text = "again"
	logAll(t, d, someday, next)
	indexNow(t, d)
	logAll(t, d, again, late, noteEntry("2026-11-20", "noon"))
	for order, want := range map[bool]string{false: "noon late someday again next", true: "next again someday late noon"} {
		found, cursor := []*store.DayEntry{}, ""
		for range 5 {
			part, next, err := d.Entries(t.Context(), store.EntryFilter{}, store.EntryPage{Newest: order, Limit: 1, Cursor: cursor})
			if err != nil {
				t.Fatal(err)
			}
			found, cursor = append(found, part...), next
		}
		if got := textsOf(found); got != want || cursor != "" {
			t.Errorf("newest first %t: got %s, want %s; cursor %q", order, got, want, cursor)
		}
	}
	kept := listEntries(t, d, store.EntryFilter{})[2]
	if !kept.Moment.IsZero() {
		t.Errorf("the untimed entry has the time %s", kept.Moment)
	}
	if hits, err := d.SearchEntries(t.Context(), store.DiaryQuery{Text: "someday", Limit: 1}, store.EntryFilter{}); err != nil || len(hits.Hits) != 1 || hits.Hits[0].Row.ID != kept.ID {
		t.Errorf("a search finds %+v, %v", hits, err)
	}
}

func entriesAreListedByDayAndFilter(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	late, early := noteEntry("2026-11-20", "late"), noteEntry("2026-11-20", "early")
	late.Moment = late.Moment.Add(14 * time.Hour) // after midnight, but it still belongs to that day
	early.Metrics, early.Mood, early.Tags = map[string]any{"sleep": 7.5, "rain": false}, 4, []string{"work", "home"}
	late.Metrics, late.Type, late.Links = map[string]any{"sleep": 5.0}, "Training", []string{"event:e1"}
	after := noteEntry("2026-11-21", "after")
	after.Section, after.Tags, after.Energy = "evening", []string{"work"}, 2
	logAll(t, d, after, late)
	indexNow(t, d)
	logOne(t, d, early)
	deleted := logOne(t, d, noteEntry("2026-11-20", "gone"))
	if _, err := d.Delete(t.Context(), deleted.ID); err != nil {
		t.Fatal(err)
	}
	for want, f := range map[string]store.EntryFilter{
		"early late after": {},
		"early late":       {From: "2026-11-20", To: "2026-11-20"},
		"after":            {From: "2026-11-21"},
		"late":             {Type: "training"},
		"early":            {Tags: []string{"work", "home"}},
		"early after":      {Tags: []string{"work"}},
		"":                 {From: "2026-11-22"},
	} {
		if got := textsOf(listEntries(t, d, f)); got != want {
			t.Errorf("%+v: got %s, want %s", f, got, want)
		}
	}
	if got := textsOf(listEntries(t, d, store.EntryFilter{Link: "event:e1"})) + "/" + textsOf(listEntries(t, d, store.EntryFilter{Section: "evening"})); got != "late/after" {
		t.Errorf("by link and section: %s", got)
	}
	for _, c := range []struct {
		r    store.MetricRange
		want string
	}{
		{store.MetricRange{Name: "Sleep"}, "early late"},
		{store.MetricRange{Name: "sleep", Min: new(5.0)}, "early late"},
		{store.MetricRange{Name: "sleep", Min: new(5.1), Max: new(8.0)}, "early"},
		{store.MetricRange{Name: "sleep", Max: new(4.9)}, ""},
		{store.MetricRange{Name: "rain", Max: new(0.0)}, "early"},
		{store.MetricRange{Name: "mood", Min: new(4.0)}, "early"},
		{store.MetricRange{Name: "mood", Min: new(3.5), Max: new(4.5)}, "early"},
		{store.MetricRange{Name: "mood", Min: new(4.5)}, ""},
		{store.MetricRange{Name: "energy"}, "after"},
		{store.MetricRange{Name: "unknown"}, ""},
	} {
		if got := textsOf(listEntries(t, d, store.EntryFilter{Metrics: []store.MetricRange{c.r}})); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.r, got, c.want)
		}
	}
	for _, f := range []store.EntryFilter{{From: "2026-02-30"}, {To: "tomorrow"}, {Type: `x"`}, {Metrics: []store.MetricRange{{Name: `a"b`}}}} {
		if _, _, err := d.Entries(t.Context(), f, store.EntryPage{Limit: 9}); !errors.Is(err, store.ErrInvalid) {
			t.Errorf("%+v: %v", f, err)
		}
	}
}

func pagesNeitherRepeatNorSkip(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	entries := []store.DayEntry{}
	for i := range 50 {
		entries = append(entries, noteEntry(fmt.Sprintf("2026-11-%02d", 1+i%3), fmt.Sprint(i))) // many have the same moment
	}
	logAll(t, d, entries[:20]...)
	indexNow(t, d)
	logAll(t, d, entries[20:]...)
	for _, newest := range []bool{false, true} {
		got, cursor := []string{}, ""
		for pages := 0; pages == 0 || cursor != ""; pages++ {
			page, next, err := d.Entries(t.Context(), store.EntryFilter{}, store.EntryPage{Newest: newest, Limit: 7, Cursor: cursor})
			if err != nil || pages > 9 {
				t.Fatal(pages, err)
			}
			for _, e := range page {
				got = append(got, e.Text)
			}
			cursor = next
			logOne(t, d, noteEntry("2026-10-01", "x")) // before the first in one order, after the last in the other
		}
		got = slices.DeleteFunc(got, func(text string) bool { return text == "x" })
		whole := strings.Fields(strings.ReplaceAll(textsOf(listEntries(t, d, store.EntryFilter{From: "2026-11-01"})), "x", ""))
		if newest {
			slices.Reverse(whole)
		}
		if !slices.Equal(got, whole) {
			t.Errorf("newest first %v: got %q, want %q", newest, got, whole)
		}
	}
	for _, bad := range []string{"x", "[]", `["2026-11-01",1,"t000001"]`} {
		if _, _, err := d.Entries(t.Context(), store.EntryFilter{}, store.EntryPage{Limit: 1, Cursor: bad}); !errors.Is(err, store.ErrInvalid) {
			t.Errorf("cursor %s: %v", bad, err)
		}
	}
}
