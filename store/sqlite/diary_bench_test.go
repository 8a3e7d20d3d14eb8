package sqlite_test

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"kota/store"
	"kota/store/storetest"
	"kota/store/tables/diary"
)

// BenchmarkLog alternates with the bare INSERT, like BenchmarkSet.
func BenchmarkLog(b *testing.B) {
	for name, key := range map[string]func(n int) string{
		"plain": func(int) string { return "" },
		"keyed": func(n int) string { return "call " + strconv.Itoa(n) },
	} {
		b.Run(name, func(b *testing.B) {
			insert, d := bareInsert(b), diary.New(open(b), "ann")
			kotaTimes, plainTimes, n := []time.Duration{}, []time.Duration{}, 0
			at := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
			for b.Loop() {
				n++
				plainTimes = append(plainTimes, timed(func() { insert("key." + strconv.Itoa(n)) }))
				e := store.DayEntry{Date: "2026-11-20", Moment: at, Zone: "Europe/Zurich", Type: "note", Text: string(value200()), Tags: []string{"work"}}
				kotaTimes = append(kotaTimes, timed(func() {
					if _, err := d.Log(b.Context(), store.LogRequest{Entries: []store.DayEntry{e}, Key: key(n)}); err != nil {
						b.Fatal(err)
					}
				}))
			}
			report(b, median(kotaTimes), median(plainTimes))
		})
	}
}

// openYear opens a diary with 20 entries on each of the 365 days up to 20 November 2026.
func openYear(b *testing.B) *diary.Store {
	b.Helper()
	d := diary.New(open(b), "kata")
	if err := storetest.FillDays(b.Context(), d, "2026-11-20", 365, 20); err != nil {
		b.Fatal(err)
	}
	if err := d.Index(b.Context()); err != nil {
		b.Fatal(err)
	}
	return d
}

func percentiles(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs-p50")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds()), "µs-p95")
}

// BenchmarkDiary reads a year with 20 entries per day.
func BenchmarkDiary(b *testing.B) {
	d := openYear(b)
	asked := storetest.NewTextGenerator(7).Questions(300)
	for name, operation := range map[string]func(n int) error{
		"week": func(n int) error {
			week, _, err := d.Entries(b.Context(), store.EntryFilter{From: "2026-10-05", To: "2026-10-11"}, store.EntryPage{Limit: 1000})
			if len(week) != 140 {
				b.Fatal(len(week))
			}
			return err
		},
		"search": func(n int) error {
			_, err := d.SearchEntries(b.Context(), store.DiaryQuery{Text: asked[n%len(asked)], Limit: 10}, store.EntryFilter{})
			return err
		},
		"search narrow": func(n int) error {
			f := store.EntryFilter{From: "2026-03-01", To: "2026-03-31", Type: "food", Metrics: []store.MetricRange{{Name: "kcal", Min: new(float64)}}}
			_, err := d.SearchEntries(b.Context(), store.DiaryQuery{Text: asked[n%len(asked)], Limit: 10}, f)
			return err
		},
		"stats": func(n int) error { // everything that yearly statistics need
			year := store.EntryFilter{From: "2025-11-21", To: "2026-11-20"}
			days, err := d.Days(b.Context(), year)
			if err != nil || len(days) != 365 {
				b.Fatal(len(days), err)
			}
			store.FindStreaks(days, year.To)
			store.FindGaps(days, year.From, year.To)
			if _, err := d.Measures(b.Context(), year); err != nil {
				return err
			}
			measured, err := d.Measure(b.Context(), "steps", year)
			store.GroupByWeek(measured)
			return err
		},
		"on this day": func(n int) error {
			found, err := d.OnThisDay(b.Context(), "2027-05-05", 50)
			if len(found) != 20 {
				b.Fatal(len(found))
			}
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			took := []time.Duration{}
			for b.Loop() {
				took = append(took, timed(func() {
					if err := operation(len(took)); err != nil {
						b.Fatal(err)
					}
				}))
			}
			percentiles(b, took)
		})
	}
}
