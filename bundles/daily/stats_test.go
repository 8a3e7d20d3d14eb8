package daily_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/bundles/bundletest"
	"kota/metadata"
	"kota/store"
	"kota/store/storetest"
	"kota/store/tables/diary"
)

type statsAnswer struct {
	From, To    string
	Days        int
	LoggedDays  int `json:"logged_days"`
	Entries     int
	Backfilled  int
	Types       map[string]int
	Metrics     []trendRow
	MoreMetrics int `json:"more_metrics"`
	Course      *struct {
		Per    string
		Points []struct {
			Of        string
			Mean, Sum float64
			Count     int
		}
		More int
	}
	Streaks *struct {
		Current, Longest runRow
		FilledCurrent    *runRow `json:"filled_current"`
		FilledLongest    *runRow `json:"filled_longest"`
	}
	Gaps *struct {
		Days int
		Runs []runRow
		More int
	}
	OnThisDay []struct{ Date, Text string } `json:"on_this_day"`
	Note      string
}

type trendRow struct {
	Name           string
	Mean           float64
	Before, Change *float64
	ADay           *float64 `json:"a_day"`
	Min, Max       float64
	Days           int
}

type runRow struct {
	Days     int
	From, To string
}

// addEntries adds entries to the diary of the fixture without changing them.
func (d *fixture) addEntries(t *testing.T, entries ...store.DayEntry) {
	t.Helper()
	db, err := d.db(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range entries {
		entries[i].Moment, entries[i].Zone = d.now, "Europe/Amsterdam"
		if entries[i].Type == "" {
			entries[i].Type = "note"
		}
		if entries[i].Text == "" {
			entries[i].Text = "x"
		}
	}
	if _, err := diary.New(db, "local").Log(t.Context(), store.LogRequest{Entries: entries}); err != nil {
		t.Fatal(err)
	}
}

// Today is 21 November 2026.
func TestStatsCompareWithPreviousDays(t *testing.T) {
	d := newFixture(t)
	kcal := func(n float64) map[string]any { return map[string]any{"kcal": n} }
	d.addEntries(t,
		store.DayEntry{Date: "2026-11-15", Mood: 1, Metrics: map[string]any{"kcal": 100., "walked": true}},
		store.DayEntry{Date: "2026-11-16", Mood: 2},
		store.DayEntry{Date: "2026-11-19", Mood: 4, Metrics: map[string]any{"kcal": 500., "walked": true}},
		store.DayEntry{Date: "2026-11-20", Mood: 5, Type: "food", Metrics: kcal(300), Backfilled: true},
		store.DayEntry{Date: "2026-11-20", Metrics: map[string]any{"kcal": 700., "walked": false}},
		store.DayEntry{Date: "2026-11-10", Mood: 5}, // before the compared days
	)
	got := bundletest.Must[statsAnswer](t, d.bundle, "daily_stats", args{"from": "2026-11-18", "to": "2026-11-20"})
	want := []trendRow{
		{Name: "mood", Mean: 4.5, Before: new(1.5), Change: new(3.0), Min: 4, Max: 5, Days: 2},
		{Name: "kcal", Mean: 500, Before: new(100.), Change: new(400.), ADay: new(750.), Min: 300, Max: 700, Days: 2},
		{Name: "walked", Mean: .5, Before: new(1.), Change: new(-.5), Min: 0, Max: 1, Days: 2},
	}
	if !cmp.Equal(got.Metrics, want) {
		t.Error(cmp.Diff(want, got.Metrics))
	}
	if got.Days != 3 || got.LoggedDays != 2 || got.Entries != 3 || got.Backfilled != 1 || !cmp.Equal(got.Types, map[string]int{"food": 1, "note": 2}) {
		t.Errorf("got %+v", got)
	}
}

func TestStreakIgnoresBackfilledDays(t *testing.T) {
	d := newFixture(t)
	for day := 12; day <= 20; day++ { // no entry today
		if day != 14 {
			d.addEntries(t, store.DayEntry{Date: fmt.Sprintf("2026-11-%02d", day), Backfilled: day == 17})
		}
	}
	got := bundletest.Must[statsAnswer](t, d.bundle, "daily_stats", args{"from": "2026-11-13"})
	if want := (runRow{3, "2026-11-18", "2026-11-20"}); got.Streaks.Current != want || got.Streaks.Longest != want {
		t.Errorf("got %+v", got.Streaks)
	}
	if want := (runRow{6, "2026-11-15", "2026-11-20"}); got.Streaks.FilledCurrent == nil || *got.Streaks.FilledCurrent != want {
		t.Errorf("back-filled: got %+v", got.Streaks.FilledCurrent)
	}
	if early := bundletest.Must[statsAnswer](t, d.bundle, "daily_stats", args{"from": "2026-10-01"}); early.Gaps.Days != 1 {
		t.Errorf("days before the log began are no gap: %+v", early.Gaps)
	}
	if want := []runRow{{1, "2026-11-14", "2026-11-14"}}; got.Gaps.Days != 1 || !cmp.Equal(got.Gaps.Runs, want) {
		t.Errorf("today is not over, and was counted: %+v", got.Gaps)
	}
}

func TestStatsReturnTimeSeriesOfMetric(t *testing.T) {
	d := newFixture(t)
	for i := range 400 {
		date := d.now.AddDate(0, 0, -i).Format(time.DateOnly)
		d.addEntries(t, store.DayEntry{Date: date, Metrics: map[string]any{"steps": float64(1000 + i)}})
	}
	for _, c := range []struct {
		from, per, first string
		points           int
	}{
		{"2026-11-15", "day", "2026-11-15", 7}, {"2026-10-01", "week", "2026-W40", 8}, {"2025-12-01", "month", "2025-12", 12},
	} {
		got := bundletest.Must[statsAnswer](t, d.bundle, "daily_stats", args{"from": c.from, "metric": " Steps"})
		if got.Course == nil || got.Course.Per != c.per || len(got.Course.Points) != c.points || got.Course.Points[0].Of != c.first {
			t.Errorf("from %s: got %+v", c.from, got.Course)
		}
		if len(got.Metrics) != 1 || got.Streaks != nil {
			t.Errorf("from %s: beside the metric there is more: %+v", c.from, got)
		}
	}
	got := bundletest.Must[statsAnswer](t, d.bundle, "daily_stats", args{"metric": "stesp"})
	if got.Course != nil || !strings.Contains(got.Note, "Logged metrics: steps.") {
		t.Errorf("a misspelt one: %+v", got)
	}
}

func TestStatsRefuseFutureDays(t *testing.T) {
	d := newFixture(t)
	d.now = time.Date(2026, 11, 21, 2, 10, 0, 0, d.zone) // the user's day is still Friday
	d.addEntries(t, store.DayEntry{Date: "2025-11-20", Text: "A year ago"}, store.DayEntry{Date: "2024-11-20", Text: strings.Repeat("long ", 100)})
	for _, c := range []struct {
		args     args
		from, to string
	}{
		{args{}, "2026-10-22", "2026-11-20"},
		{args{"from": "this month"}, "2026-11-01", "2026-11-20"},
		{args{"from": "last month"}, "2026-10-01", "2026-10-31"},
		{args{"from": "2026-11-19", "to": "2027-01-01"}, "2026-11-19", "2026-11-20"},
		{args{"to": "2028-02-29", "from": "2026-11-20"}, "2026-11-20", "2026-11-20"},
	} {
		got := bundletest.Must[statsAnswer](t, d.bundle, "daily_stats", c.args)
		if got.From != c.from || got.To != c.to {
			t.Errorf("%v: got %s to %s", c.args, got.From, got.To)
		}
		if c.to == "2026-11-20" && (len(got.OnThisDay) != 2 || got.OnThisDay[0].Text != "A year ago" || len(got.OnThisDay[1].Text) > 110) {
			t.Errorf("%v: on this day: %+v", c.args, got.OnThisDay)
		}
	}
	for _, wrong := range []args{{"from": "2026-02-30"}, {"from": "2026-12-01"}, {"from": "2026-11-20", "to": "2026-11-19"}, {"to": "soon"}, {"metric": "two\nlines \"x\""}} {
		if _, err := bundletest.Answer[statsAnswer](t, d.bundle, "daily_stats", wrong); metadata.CodeOf(err) != metadata.ValidationError {
			t.Errorf("%v: got %v", wrong, err)
		}
	}
}

// A year with 20 entries a day fits into an answer of normal size.
func TestStatsOfAYearFitAnAnswer(t *testing.T) {
	d := newFixture(t)
	db, err := d.db(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := storetest.FillDays(t.Context(), diary.New(db, "local"), "2026-11-20", 365, 3); err != nil {
		t.Fatal(err)
	}
	for _, given := range []args{{"from": "2025-11-21"}, {"from": "2025-11-21", "metric": "mood"}} {
		raw, err := bundletest.Call(t, d.bundle, "daily_stats", given)
		if err != nil {
			t.Fatal(err)
		}
		if n := tokens(t, string(raw)); n > 1200 {
			t.Errorf("%d tokens: %s", n, raw)
		}
	}
}
