package diarytest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kota/store"
	"kota/store/storetest"
)

func mustReturn[T any](t testing.TB) func(T, error) T {
	return func(got T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
}

// The sums over random entries, some of them deleted, equal the sums that the test computes.
func sumsEqualThoseOfTheEntries(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	random := rand.New(rand.NewPCG(1, 1))
	logged := []store.DayEntry{}
	for n := range 150 {
		if n == 75 {
			indexNow(t, d)
		}
		e := noteEntry(fmt.Sprintf("2026-%02d-%02d", 11+n%2, 1+random.IntN(28)), "x")
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
	days, moods, kms, rains := map[string]int{}, map[string]store.Summary{}, map[string]store.Summary{}, store.Summary{}
	plus := func(f store.Summary, v float64) store.Summary {
		if f.Count == 0 {
			return store.Summary{Count: 1, Sum: v, Min: v, Max: v}
		}
		return store.Summary{Count: f.Count + 1, Sum: f.Sum + v, Min: min(f.Min, v), Max: max(f.Max, v)}
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
	got := mustReturn[[]store.DaySummary](t)(d.Days(t.Context(), f))
	for _, day := range got {
		if day.Entries != days[day.Date] || day.Mood != moods[day.Date] || day.Energy.Count != 0 {
			t.Errorf("%+v, want %d entries of mood %+v", day, days[day.Date], moods[day.Date])
		}
	}
	if len(got) != len(days) {
		t.Errorf("%d days, want %d", len(got), len(days))
	}
	for metric, want := range map[string]map[string]store.Summary{"mood": moods, "km": kms} {
		measured := map[string]store.Summary{}
		for _, day := range mustReturn[[]store.PeriodSummary](t)(d.Measure(t.Context(), metric, f)) {
			measured[day.Period] = day.Summary
		}
		if diff := cmp.Diff(want, measured); diff != "" {
			t.Errorf("%s: %s", metric, diff)
		}
	}
	for _, m := range mustReturn[[]store.MetricSummary](t)(d.Measures(t.Context(), f)) {
		if m.IsBool != (m.Name == "rain") || m.IsBool && m.Summary != rains || !m.IsBool && m.Days != len(kms) {
			t.Errorf("%+v, of %d days with km and rain %+v", m, len(kms), rains)
		}
	}
	if _, err := d.Measure(t.Context(), `a"b`, f); !errors.Is(err, store.ErrInvalid) {
		t.Errorf("an invalid metric name: %v", err)
	}
}

// The sum of floats depends on the order of the additions. In any order, the result is the rounded
// sum, and not 0.9999999999999999.
func sumsDoNotDependOnTheOrder(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	tenths, large := slices.Repeat([]float64{0.1}, 10), []float64{0.1, 1e15, -1e15, 0.5, 1e15, -1e15}
	long := math.Nextafter(0.3, 1) // 17 digits
	for tenant, sort := range map[string]func([]float64){"ann": func([]float64) {}, "bob": slices.Reverse[[]float64], "cleo": slices.Sort[[]float64]} {
		d := db.Diary(tenant)
		for metric, values := range map[string][]float64{"tenths": tenths, "large": large, "5": {long}} {
			values = slices.Clone(values)
			sort(values)
			for _, value := range values {
				e := noteEntry("2026-11-20", "x")
				e.Metrics = map[string]any{metric: value}
				logOne(t, d, e)
			}
		}
		all := map[string]store.Summary{}
		for _, m := range mustReturn[[]store.MetricSummary](t)(d.Measures(t.Context(), store.EntryFilter{})) {
			all[m.Name] = m.Summary
		}
		want := map[string]store.Summary{"tenths": {Count: 10, Sum: 1, Min: 0.1, Max: 0.1}, "large": {Count: 6, Sum: 0.6, Min: -1e15, Max: 1e15}, "5": {Count: 1, Sum: long, Min: long, Max: long}}
		if diff := cmp.Diff(want, all); diff != "" {
			t.Errorf("%s: %s", tenant, diff)
		}
		for metric, sum := range want {
			days := mustReturn[[]store.PeriodSummary](t)(d.Measure(t.Context(), metric, store.EntryFilter{}))
			if len(days) != 1 || days[0].Summary != sum {
				t.Errorf("%s of %s per day: %+v", metric, tenant, days)
			}
		}
	}
}

func sameDayOfOtherYearsIsFound(t *testing.T, open storetest.Opener) {
	db := open(time.Now)
	d := db.Diary("ann")
	for _, date := range []string{"2020-02-29", "2023-02-28", "2024-02-28", "2024-02-29", "2025-02-28", "2026-03-01"} {
		logOne(t, d, noteEntry(date, date))
		if date == "2024-02-28" {
			indexNow(t, d)
		}
	}
	logOne(t, db.Diary("bob"), noteEntry("2019-02-28", "his"))
	for date, want := range map[string]string{
		"2024-02-29": "2020-02-29",
		"2024-02-28": "2025-02-28 2023-02-28", // this year has a 29 February, so that day is not included
		"2025-02-28": "2024-02-29 2024-02-28 2023-02-28 2020-02-29",
		"2030-03-01": "2026-03-01",
		"2030-07-01": "",
	} {
		if got := textsOf(mustReturn[[]*store.DayEntry](t)(d.OnThisDay(t.Context(), date, 9))); got != want {
			t.Errorf("on %s: got %s, want %s", date, got, want)
		}
	}
	if got := mustReturn[[]*store.DayEntry](t)(d.OnThisDay(t.Context(), "2025-02-28", 2)); len(got) != 2 {
		t.Errorf("at most two: %s", textsOf(got))
	}
	if _, err := d.OnThisDay(t.Context(), "2025-02-29", 9); !errors.Is(err, store.ErrInvalid) {
		t.Errorf("on a day that does not exist: %v", err)
	}
	if got := mustReturn[[]*store.DayEntry](t)(db.Diary("nobody").OnThisDay(t.Context(), "2025-02-28", 9)); len(got) != 0 {
		t.Errorf("without entries: %s", textsOf(got))
	}
}

func typesAreCounted(t *testing.T, open storetest.Opener) {
	d := open(time.Now).Diary("ann")
	food, note := noteEntry("2026-11-20", "soup"), noteEntry("2026-11-20", "x")
	food.Type = "food"
	logAll(t, d, food, note, food)
	if got := mustReturn[[]store.TypeCount](t)(d.Types(t.Context(), store.EntryFilter{})); !slices.Equal(got, []store.TypeCount{{Type: "food", Count: 2}, {Type: "note", Count: 1}}) {
		t.Errorf("got %v", got)
	}
}

// The date of an entry does not depend on the clock of the database.
func clockSetBackLosesNothing(t *testing.T, open storetest.Opener) {
	db, c := storetest.WithClock(open)
	d := db.Diary("ann")
	first := logOne(t, d, noteEntry("2026-11-20", "first"))
	c.Set(c.Now().Add(-48 * time.Hour))
	second := logOne(t, d, noteEntry("2026-11-18", "second"))
	edited, err := d.EditEntry(t.Context(), store.EntryEdit{ID: first.ID, Text: new("again")})
	if err != nil || !edited.After.Updated.After(first.Updated) {
		t.Errorf("edited: %+v, %v", edited.After, err)
	}
	if got := textsOf(listEntries(t, d, store.EntryFilter{})); got != "second again" {
		t.Errorf("listed %s, %s", got, second.ID)
	}
	if _, err := d.Restore(t.Context(), edited.Undo); err != nil {
		t.Error(err)
	}
}
