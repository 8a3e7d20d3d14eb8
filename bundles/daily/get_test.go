package daily_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/bundletest"
	"kota/metadata"
)

func TestGetShowsDayInOrderWithMetricsAndTasks(t *testing.T) {
	d := newFixture(t)
	bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"text": "Call Ann", "time": "11:00", "mood": 4, "tasks": []string{"Send Ann the file"}})
	bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"time": "08:00", "mood": 2, "metrics": args{"sleep_hours": 6.5, "vitamins": true}})
	bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"time": "09:00", "metrics": args{"sleep hours": 0.5, "vitamins": false}})
	out := bundletest.Must[getAnswer](t, d.bundle, "daily_get", args{})
	times := []string{}
	for _, e := range out.Days[0].Entries {
		times = append(times, e.Time)
	}
	if want := []string{"08:00", "09:00", "11:00"}; !cmp.Equal(times, want) {
		t.Errorf("the order is %q", times)
	}
	sums := map[string]string{}
	for _, m := range out.Metrics {
		switch {
		case m.True != nil:
			sums[m.Name] = fmt.Sprintf("%d of %d", *m.True, m.Count)
		case m.Min != nil:
			sums[m.Name] = fmt.Sprintf("%d, mean %v, sum %v, %v to %v", m.Count, *m.Mean, *m.Sum, *m.Min, *m.Max)
		}
	}
	if want := map[string]string{"mood": "2, mean 3, sum 6, 2 to 4", "sleep_hours": "2, mean 3.5, sum 7, 0.5 to 6.5", "vitamins": "1 of 2"}; !cmp.Equal(sums, want) {
		t.Error(cmp.Diff(want, sums))
	}
	if out.Tasks.Count != 1 || out.Tasks.Open[0].Text != "Send Ann the file" {
		t.Errorf("tasks: %+v", out.Tasks)
	}
}

func TestGetOfDayWithoutEntries(t *testing.T) {
	out := bundletest.Must[getAnswer](t, newFixture(t).bundle, "daily_get", args{"date": "2024-02-29"})
	if out.From != "2024-02-29" || out.To != "2024-02-29" || out.Days == nil || len(out.Days) != 0 || len(out.Metrics) != 0 {
		t.Errorf("got %+v", out)
	}
}

func TestGetReadsWordsForDaysWeeksAndMonths(t *testing.T) {
	for in, want := range map[string][2]string{ // on Saturday 21 November at 02:10, while the user's day is still Friday
		"today": {"2026-11-20", "2026-11-20"}, "yesterday": {"2026-11-19", "2026-11-19"}, "friday": {"2026-11-20", "2026-11-20"}, "saturday": {"2026-11-14", "2026-11-14"},
		"this week": {"2026-11-16", "2026-11-22"}, "last week": {"2026-11-09", "2026-11-15"}, "last month": {"2026-10-01", "2026-10-31"}, "2026-11-25": {"2026-11-25", "2026-11-25"},
		"2026-W46": {"2026-11-09", "2026-11-15"}, "2027w1": {"2027-01-04", "2027-01-10"}, "2028-02": {"2028-02-01", "2028-02-29"}, // as stats and documents write them
	} {
		d := newFixture(t)
		d.setClock(t, amsterdam, "2026-11-21T02:10")
		if out := bundletest.Must[getAnswer](t, d.bundle, "daily_get", args{"date": in}); out.From != want[0] || out.To != want[1] {
			t.Errorf("%s: got %s to %s, want %v", in, out.From, out.To, want)
		}
	}
}

func TestGetListsTasksDoneInSpan(t *testing.T) {
	d := newFixture(t)
	many := d.task(t, args{"op": "add", "text": slices.Repeat([]string{"Iron a shirt"}, 23), "date": "2026-11-01"})
	for i, row := range many.Tasks {
		d.task(t, args{"op": "done", "ids": row.ID, "date": []string{"2026-11-02", "2026-11-19"}[i%2]})
	}
	for name, c := range map[string]struct {
		in         args
		done, more int
	}{
		"of both days":           {args{"from": "2026-11-02", "to": "2026-11-19"}, 20, 3},
		"since the first":        {args{"from": "2026-11-19"}, 11, 0},
		"without a first day":    {args{"to": "2026-11-18"}, 12, 0},
		"of a day without any":   {args{"date": "2026-11-18"}, 0, 0},
		"of the day they are of": {args{"date": "2026-11-19"}, 11, 0},
	} {
		if got := bundletest.Must[getAnswer](t, d.bundle, "daily_get", c.in).Tasks; len(got.Done) != c.done || got.MoreDone != c.more {
			t.Errorf("%s: %d are listed, and %d more", name, len(got.Done), got.MoreDone)
		}
	}
}

func TestGetListsDocumentsOfSpan(t *testing.T) {
	d := newFixture(t)
	made := map[string]string{}
	for _, period := range []string{"2026-11-16", "2026-W47", "2026-11"} {
		made[period] = d.writeDocument(t, "daily_review", args{"period": period, "answers": args{"highlights": "It snowed"}}).ID
	}
	type listing struct {
		Documents     []struct{ ID string }
		MoreDocuments bool `json:"more_documents"`
	}
	for name, c := range map[string]struct {
		in   args
		want []string // the last changed first
	}{
		"a day":               {args{"date": "2026-11-16"}, []string{"2026-11", "2026-W47", "2026-11-16"}},
		"another of the week": {args{"date": "2026-11-17"}, []string{"2026-11", "2026-W47"}},
		"the week":            {args{"date": "this week"}, []string{"2026-11", "2026-W47", "2026-11-16"}},
		"a span":              {args{"from": "2026-10-02", "to": "2026-11-15"}, []string{"2026-11"}},
		"a span without end":  {args{"from": "2026-11-22"}, []string{"2026-11", "2026-W47"}},
		"another month":       {args{"date": "last month"}, nil},
	} {
		got, want := bundletest.Must[listing](t, d.bundle, "daily_get", c.in), []string{}
		for _, period := range c.want {
			want = append(want, made[period])
		}
		ids := []string{}
		for _, one := range got.Documents {
			ids = append(ids, one.ID)
		}
		if !slices.Equal(ids, want) || got.MoreDocuments {
			t.Errorf("%s: got %q, want %q of %v", name, ids, want, made)
		}
	}
	for n := range 20 {
		d.writeDocument(t, "daily_plan", args{"type": "meeting_notes", "about": fmt.Sprint("Meeting ", n), "answers": args{"people": "Anna"}})
	}
	if got := bundletest.Must[listing](t, d.bundle, "daily_get", args{"date": "this week"}); len(got.Documents) != 20 || !got.MoreDocuments {
		t.Errorf("of many: got %d, more %v", len(got.Documents), got.MoreDocuments)
	}
}

func TestGetSummarizesMostFrequentMetrics(t *testing.T) {
	d := newFixture(t)
	for day := range 2 {
		for part := range 2 {
			metrics := args{"zebras": 1}
			for i := range 24 {
				metrics[fmt.Sprintf("m%d_%d_%d", day, part, i)] = i
			}
			bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"date": fmt.Sprintf("2026-11-1%d", day), "metrics": metrics})
		}
	}
	got := bundletest.Must[getAnswer](t, d.bundle, "daily_get", args{"from": "2026-11-01"})
	if len(got.Metrics) != 20 || got.MoreMetrics != 77 || got.Metrics[0].Name != "zebras" {
		t.Errorf("%d are summed up, and %d more: %+v", len(got.Metrics), got.MoreMetrics, got.Metrics)
	}
}

func TestPagesHaveEveryEntryOnce(t *testing.T) {
	d := newFixture(t)
	want := map[string]bool{}
	for n := range 3 {
		entries := make([]args, 7)
		for i := range entries {
			entries[i] = args{"text": fmt.Sprint(n, " ", i), "mood": 3}
		}
		for _, id := range bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"date": fmt.Sprintf("2026-11-1%d", n), "entries": entries}).IDs {
			want[id] = true
		}
	}
	in, pages := args{"from": "2026-11-01", "to": "2026-11-30", "limit": 4}, 0
	for ; ; pages++ {
		out := bundletest.Must[getAnswer](t, d.bundle, "daily_get", in)
		for _, day := range out.Days {
			for _, e := range day.Entries {
				if !want[e.ID] {
					t.Errorf("%s comes twice", e.ID)
				}
				delete(want, e.ID)
			}
		}
		if (len(out.Metrics) == 0) != (pages > 0) {
			t.Errorf("page %d sums up %+v", pages, out.Metrics)
		}
		if out.NextCursor == "" {
			break
		}
		in["cursor"] = out.NextCursor
	}
	if len(want) > 0 || pages != 5 {
		t.Errorf("%d were not on the pages, of which there were %d", len(want), pages+1)
	}
}

func TestLongTextIsShortenedOnlyInLists(t *testing.T) {
	d := newFixture(t)
	text := strings.TrimSpace(strings.Repeat("a long\nday ", 4000))
	id := bundletest.Must[logAnswer](t, d.bundle, "daily_log", args{"entries": []args{{"text": text}, {"text": text}, {"text": "short"}}}).IDs[0]
	for detail, most := range map[string]int{"brief": 200, "full": 13_000, "ids": 0} {
		entries := bundletest.Must[getAnswer](t, d.bundle, "daily_get", args{"detail": detail}).Days[0].Entries
		if most > 0 && !strings.HasPrefix(entries[0].Text, "a long\nday ") {
			t.Errorf("%s: it begins %.20q", detail, entries[0].Text)
		}
		if n := utf8.RuneCountInString(entries[0].Text); n > most || n < most/2 || entries[0].Cut != (most > 0) {
			t.Errorf("%s: %d characters, cut %v", detail, n, entries[0].Cut)
		}
		if most > 0 && (entries[2].Text != "short" || entries[2].Cut) {
			t.Errorf("%s: got %+v", detail, entries[2])
		}
	}
	if out := bundletest.Must[getAnswer](t, d.bundle, "daily_get", args{"id": id}); out.Days[0].Entries[0].Text != text {
		t.Errorf("alone it has %d of %d characters", len(out.Days[0].Entries[0].Text), len(text))
	}
}

func TestGetRefusesInvalidArgumentsByName(t *testing.T) {
	d := newFixture(t)
	for name, c := range map[string]struct {
		in   args
		code metadata.Code
		path string
	}{
		"a day that there is not":    {args{"date": "2026-02-30"}, metadata.ValidationError, "date"},
		"a day and a span":           {args{"date": "today", "from": "2026-11-01"}, metadata.ValidationError, "date"},
		"a span that ends before it": {args{"from": "2026-11-02", "to": "2026-11-01"}, metadata.ValidationError, "to"},
		"an entry and a day":         {args{"id": "e0000000", "date": "today"}, metadata.ValidationError, "id"},
		"a cursor of nobody":         {args{"cursor": "abc"}, metadata.ValidationError, "cursor"},
		"an entry that there is not": {args{"id": "e000000"}, metadata.NotFound, ""},
		"something that is no id":    {args{"id": "'; DROP TABLE entries"}, metadata.NotFound, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if e := d.callFails(t, "daily_get", c.in, c.code); c.path != "" && bundletest.ProblemPath(t, e) != c.path {
				t.Errorf("got %+v", e)
			}
		})
	}
}
