package sqlite_test

import (
	"database/sql"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/tables/memory"
)

// bareInsert returns the write that others are compared with: a prepared INSERT of two columns at
// synchronous=FULL, in its own transaction.
func bareInsert(b *testing.B) func(key string) {
	db, err := sql.Open("sqlite", filepath.Join(b.TempDir(), "bare.db")+"?_journal_mode=WAL&_synchronous=FULL")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("CREATE TABLE bare (key TEXT PRIMARY KEY, value TEXT) STRICT"); err != nil {
		b.Fatal(err)
	}
	insert, err := db.Prepare("INSERT INTO bare VALUES (?, ?)")
	if err != nil {
		b.Fatal(err)
	}
	value := string(value200())
	return func(key string) {
		if _, err := insert.Exec(key, value); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSet alternates writes with the bare INSERT, so that both run on the same disk, and
// compares the medians. "of-bare" is the commit rate as a share of the bare one.
func BenchmarkSet(b *testing.B) {
	insert, m := bareInsert(b), memory.New(open(b), "ann")
	kotaTimes, plainTimes, n := []time.Duration{}, []time.Duration{}, 0
	for b.Loop() {
		n++
		key := "key." + strconv.Itoa(n)
		plainTimes = append(plainTimes, timed(func() { insert(key) }))
		kotaTimes = append(kotaTimes, timed(func() { set(b, m, store.Entry{Key: key, Value: value200()}) }))
	}
	report(b, median(kotaTimes), median(plainTimes))
}

// BenchmarkSetBy32 lets 32 callers write at the same time, 20 times each, and compares the time
// per write with that of the bare INSERT.
func BenchmarkSetBy32(b *testing.B) {
	const callers, each = 32, 20
	insert, m := bareInsert(b), memory.New(open(b), "ann")
	kotaTimes, plainTimes, n := []time.Duration{}, []time.Duration{}, 0
	for b.Loop() {
		n++
		round := "key." + strconv.Itoa(n) + "."
		plainTimes = append(plainTimes, timed(func() {
			for i := range callers {
				insert(round + strconv.Itoa(i))
			}
		})/callers)
		kotaTimes = append(kotaTimes, timed(func() {
			var all sync.WaitGroup
			for c := range callers {
				all.Go(func() {
					for i := range each {
						set(b, m, store.Entry{Key: round + strconv.Itoa(c*each+i), Value: value200()})
					}
				})
			}
			all.Wait()
		})/(callers*each))
	}
	report(b, median(kotaTimes), median(plainTimes))
}

func report(b *testing.B, kotaTimes, plainTimes time.Duration) {
	b.ReportMetric(0, "ns/op") // ns/op of both together has no meaning
	b.ReportMetric(float64(kotaTimes)/1e3, "µs/write")
	b.ReportMetric(float64(plainTimes)/1e3, "µs/bare")
	b.ReportMetric(float64(plainTimes)/float64(kotaTimes), "of-bare")
}

func timed(fn func()) time.Duration {
	start := time.Now()
	fn()
	return time.Since(start)
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

func BenchmarkGet(b *testing.B) {
	m := memory.New(open(b), "ann")
	set(b, m, store.Entry{Key: "city", Value: value200()})
	for b.Loop() {
		if _, err := m.Get(b.Context(), "city"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOpen opens and closes an existing database.
func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "kota.db")
	for b.Loop() {
		db, err := sqlite.Open(b.Context(), path, sqlite.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func value200() json.RawMessage {
	return json.RawMessage(`"` + strings.Repeat("a word or two ", 14) + `"`)
}
