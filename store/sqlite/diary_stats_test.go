package sqlite_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/store"
	"kota/store/sqlite"
)

func value[T any](t testing.TB) func(T, error) T {
	return func(got T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
}

// Sums of random entries, of which some are deleted, are those of adding them
// up one by one.
func TestSumsAreThoseOfTheEntries(t *testing.T) {
	d := open(t).Diary("ann")
	random := rand.New(rand.NewPCG(1, 1))
	logged := []store.DayEntry{}
	for n := range 150 {
		if n == 75 {
			settle(t, d)
		}
		e := aNote(fmt.Sprintf("2026-%02d-%02d", 11+n%2, 1+random.IntN(28)), "x")
		e.Metrics, e.Backfilled = map[string]any{}, random.IntN(3) == 0
		if random.IntN(2) == 0 {
			e.Mood, e.Metrics["km"] = random.IntN(6), float64(random.IntN(19)-9)
		}
		if random.IntN(3) == 0 {
			e.Metrics["rain"] = random.IntN(2) == 0
		}
		id := logOne(t, d, e).ID
		if random.IntN(5) > 0 {
			logged = append(logged, e)
		} else if _, err := d.Delete(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	f := store.EntryFilter{From: "2026-11-05", To: "2026-12-20"}
	days, moods, kms, rains := map[string]int{}, map[string]store.Figure{}, map[string]store.Figure{}, store.Figure{}
	plus := func(f store.Figure, v float64) store.Figure {
		if f.Count == 0 {
			return store.Figure{Count: 1, Sum: v, Min: v, Max: v}
		}
		return store.Figure{Count: f.Count + 1, Sum: f.Sum + v, Min: min(f.Min, v), Max: max(f.Max, v)}
	}
	for _, e := range logged {
		if e.Date < f.From || e.Date > f.To {
			continue
		}
		days[e.Date]++
		if e.Mood > 0 {
			moods[e.Date] = plus(moods[e.Date], float64(e.Mood))
		}
		if km, has := e.Metrics["km"]; has {
			kms[e.Date] = plus(kms[e.Date], km.(float64))
		}
		if rain, has := e.Metrics["rain"]; has {
			rains = plus(rains, map[bool]float64{true: 1}[rain.(bool)])
		}
	}
	got := value[[]store.DayFacts](t)(d.Days(t.Context(), f))
	for _, day := range got {
		if day.Entries != days[day.Date] || day.Mood != moods[day.Date] || day.Energy.Count != 0 {
			t.Errorf("%+v, want %d entries of mood %+v", day, days[day.Date], moods[day.Date])
		}
	}
	if len(got) != len(days) {
		t.Errorf("%d days, want %d", len(got), len(days))
	}
	for metric, want := range map[string]map[string]store.Figure{"mood": moods, "km": kms} {
		measured := map[string]store.Figure{}
		for _, day := range value[[]store.PeriodFigure](t)(d.Measure(t.Context(), metric, f)) {
			measured[day.Period] = day.Figure
		}
		if diff := cmp.Diff(want, measured); diff != "" {
			t.Errorf("%s: %s", metric, diff)
		}
	}
	for _, m := range value[[]store.Measured](t)(d.Measures(t.Context(), f)) {
		if m.Truth != (m.Name == "rain") || m.Truth && m.Figure != rains || !m.Truth && m.Days != len(kms) {
			t.Errorf("%+v, of %d days with km and rain %+v", m, len(kms), rains)
		}
	}
	if _, err := d.Measure(t.Context(), `a"b`, f); !errors.Is(err, store.ErrInvalid) {
		t.Errorf("a metric of no name: %v", err)
	}
}

func TestDaysAreSummedUpByWeekAndMonth(t *testing.T) {
	days := []store.PeriodFigure{}
	for _, date := range []string{"2024-12-29", "2024-12-30", "2025-01-01", "2025-01-05", "2025-01-06"} { // Sunday, Monday, ...
		days = append(days, store.PeriodFigure{Period: date, Figure: store.Figure{Count: 2, Sum: 10, Min: float64(len(days)), Max: 9}})
	}
	for want, got := range map[string][]store.PeriodFigure{
		"[{2024-W52 {2 10 0 9}} {2025-W01 {6 30 1 9}} {2025-W02 {2 10 4 9}}]": store.PerWeek(days),
		"[{2024-12 {4 20 0 9}} {2025-01 {6 30 2 9}}]":                         store.PerMonth(days),
	} {
		if fmt.Sprint(got) != want {
			t.Errorf("got  %v\nwant %s", got, want)
		}
	}
	if mean := store.PerMonth(days)[1].Mean(); mean != 5 {
		t.Errorf("mean %v", mean)
	}
}

// facts are days, each with an entry of its own; one that begins with ~ was
// back-filled.
func facts(dates ...string) []store.DayFacts {
	days := []store.DayFacts{}
	for _, date := range dates {
		day := store.DayFacts{Date: date, Entries: 1}
		if date[0] == '~' {
			day.Date, day.Backfilled = date[1:], 1
		}
		days = append(days, day)
	}
	return days
}

func TestAStreakIsOfDaysLoggedOnTheDay(t *testing.T) {
	for _, of := range []struct {
		days  []store.DayFacts
		today string
		want  string // current, longest, and both with back-filled days
	}{
		{nil, "2026-11-20", "0 0 0 0"},
		{facts("2026-11-20"), "2026-11-20", "1 1 1 1"},
		{facts("2026-11-18", "2026-11-19"), "2026-11-20", "2 2 2 2"}, // today is not over
		{facts("2026-11-17", "2026-11-18"), "2026-11-20", "0 2 0 2"},
		{facts("2026-11-17", "~2026-11-18", "2026-11-19", "2026-11-20"), "2026-11-20", "2 2 4 4"},
		{facts("2024-02-28", "2024-02-29", "2024-03-01"), "2024-03-01", "3 3 3 3"},
		{facts("2023-02-28", "2023-03-01", "2023-12-31", "2024-01-01"), "2024-01-02", "2 2 2 2"},
		{facts("2026-03-28", "2026-03-29", "2026-03-30", "2026-10-24", "2026-10-25"), "2026-10-26", "2 3 2 3"}, // clocks change
		{facts("2026-11-20", "2026-11-21"), "2026-11-20", "1 1 1 1"},                                           // tomorrow's was logged far in the east
	} {
		s := store.StreaksOf(of.days, of.today)
		if got := fmt.Sprint(s.Current.Days, s.Longest.Days, s.FilledCurrent.Days, s.FilledLongest.Days); got != of.want {
			t.Errorf("%v on %s: %s, want %s", of.days, of.today, got, of.want)
		}
	}
	s := store.StreaksOf(facts("2026-11-01", "2026-11-02", "2026-11-10", "2026-11-11"), "2026-11-30")
	if want := (store.Run{From: "2026-11-10", To: "2026-11-11", Days: 2}); s.Longest != want || s.Current != (store.Run{}) {
		t.Errorf("got %+v", s)
	}
}

func TestGapsAreTheDaysThatAreMissing(t *testing.T) {
	for _, of := range []struct {
		days     []store.DayFacts
		from, to string
		want     string
	}{
		{nil, "2026-11-19", "2026-11-20", "[{2026-11-19 2026-11-20 2}]"},
		{facts("2026-11-20"), "2026-11-20", "2026-11-20", "[]"},
		{facts("2024-02-28", "2024-03-02"), "2024-02-27", "2024-03-03", "[{2024-02-27 2024-02-27 1} {2024-02-29 2024-03-01 2} {2024-03-03 2024-03-03 1}]"},
		{facts("2026-10-01", "2026-11-20", "2026-12-01"), "2026-11-19", "2026-11-21", "[{2026-11-19 2026-11-19 1} {2026-11-21 2026-11-21 1}]"},
		{facts("0001-01-01", "9999-12-31"), "0001-01-01", "9999-12-31", "[{0001-01-02 9999-12-30 3652057}]"},
		{nil, "2026-11-21", "2026-11-20", "[]"},
	} {
		if got := fmt.Sprint(store.GapsIn(of.days, of.from, of.to)); got != of.want {
			t.Errorf("%v: got %s, want %s", of.days, got, of.want)
		}
	}
}

func TestTheSameDayOfOtherYears(t *testing.T) {
	db := open(t)
	d := db.Diary("ann")
	for _, date := range []string{"2020-02-29", "2023-02-28", "2024-02-28", "2024-02-29", "2025-02-28", "2026-03-01"} {
		logOne(t, d, aNote(date, date))
		if date == "2024-02-28" {
			settle(t, d)
		}
	}
	logOne(t, db.Diary("bob"), aNote("2019-02-28", "his"))
	for date, want := range map[string]string{
		"2024-02-29": "2020-02-29",
		"2024-02-28": "2025-02-28 2023-02-28", // the leap day comes by itself
		"2025-02-28": "2024-02-29 2024-02-28 2023-02-28 2020-02-29",
		"2030-03-01": "2026-03-01",
		"2030-07-01": "",
	} {
		if got := textsOf(value[[]*store.DayEntry](t)(d.OnThisDay(t.Context(), date, 9))); got != want {
			t.Errorf("on %s: got %s, want %s", date, got, want)
		}
	}
	if got := value[[]*store.DayEntry](t)(d.OnThisDay(t.Context(), "2025-02-28", 2)); len(got) != 2 {
		t.Errorf("at most two: %s", textsOf(got))
	}
	if _, err := d.OnThisDay(t.Context(), "2025-02-29", 9); !errors.Is(err, store.ErrInvalid) {
		t.Errorf("on a day there was not: %v", err)
	}
	if got := value[[]*store.DayEntry](t)(db.Diary("nobody").OnThisDay(t.Context(), "2025-02-28", 9)); len(got) != 0 {
		t.Errorf("of nobody: %s", textsOf(got))
	}
}

func TestTypesAreCounted(t *testing.T) {
	d := open(t).Diary("ann")
	food, note := aNote("2026-11-20", "soup"), aNote("2026-11-20", "x")
	food.Type = "food"
	logAll(t, d, food, note, food)
	if got := value[[]store.TypeCount](t)(d.Types(t.Context(), store.EntryFilter{})); !slices.Equal(got, []store.TypeCount{{Type: "food", Count: 2}, {Type: "note", Count: 1}}) {
		t.Errorf("got %v", got)
	}
}

// A day is a day of the calendar whatever the clock of the machine says.
func TestAClockThatJumpsBackLosesNothing(t *testing.T) {
	db, c := withClock(t)
	d := db.Diary("ann")
	first := logOne(t, d, aNote("2026-11-20", "first"))
	c.set(c.now().Add(-48 * time.Hour))
	second := logOne(t, d, aNote("2026-11-18", "second"))
	edited, err := d.EditEntry(t.Context(), store.EntryEdit{ID: first.ID, Text: ptr("again")})
	if err != nil || !edited.Now.Updated.After(first.Updated) {
		t.Errorf("edited: %+v, %v", edited.Now, err)
	}
	if got := textsOf(listed(t, d, store.EntryFilter{})); got != "second again" {
		t.Errorf("listed %s, %s", got, second.ID)
	}
	if _, err := d.Restore(t.Context(), edited.Undo); err != nil {
		t.Error(err)
	}
}

// What an earlier KOTA may have kept spoils no sum.
func TestValuesThatNoSumHoldsCountInNone(t *testing.T) {
	db := open(t)
	d := db.Diary("ann")
	for range 2 {
		e := aNote("2026-11-20", "x")
		e.Metrics = map[string]any{"km": store.MaxMetric, "w": 3}
		logOne(t, d, e)
	}
	logOne(t, d, aNote("2026-11-20", "spoilt"))
	err := db.Write(t.Context(), func(tx *sqlite.Tx) error {
		_, err := tx.Exec(`UPDATE entries SET metrics = '{"km":1e308,"w":-1e308}' WHERE text = 'spoilt'`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]store.Figure{
		"km": {Count: 2, Sum: 2 * store.MaxMetric, Min: store.MaxMetric, Max: store.MaxMetric},
		"w":  {Count: 2, Sum: 6, Min: 3, Max: 3},
	} {
		days := value[[]store.PeriodFigure](t)(d.Measure(t.Context(), name, store.EntryFilter{}))
		if len(days) != 1 || days[0].Figure != want {
			t.Errorf("%s day by day: got %+v, want %+v", name, days, want)
		}
		all := value[[]store.Measured](t)(d.Measures(t.Context(), store.EntryFilter{}))
		if i := slices.IndexFunc(all, func(m store.Measured) bool { return m.Name == name }); i < 0 || all[i].Figure != want {
			t.Errorf("%s: got %+v, want %+v", name, all, want)
		}
	}
}
