package store_test

import (
	"strconv"
	"testing"
	"time"

	"kota/store"
)

// BenchmarkLog logs by turns with the bare INSERT, as BenchmarkSet does.
func BenchmarkLog(b *testing.B) {
	for name, key := range map[string]func(n int) string{
		"plain": func(int) string { return "" },
		"keyed": func(n int) string { return "call " + strconv.Itoa(n) },
	} {
		b.Run(name, func(b *testing.B) {
			insert, d := bare(b), open(b).Diary("ann")
			ours, theirs, n := []time.Duration{}, []time.Duration{}, 0
			at := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
			for b.Loop() {
				n++
				theirs = append(theirs, timed(func() { insert("key." + strconv.Itoa(n)) }))
				e := store.DayEntry{Date: "2026-11-20", Moment: at, Zone: "Europe/Zurich", Type: "note", Text: string(value200()), Tags: []string{"work"}}
				ours = append(ours, timed(func() {
					if _, err := d.Log(b.Context(), store.Logging{Entries: []store.DayEntry{e}, Key: key(n)}); err != nil {
						b.Fatal(err)
					}
				}))
			}
			report(b, median(ours), median(theirs))
		})
	}
}
