package store_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"kota/store"
)

// BenchmarkBareInsert is what the writes are measured against: a prepared
// INSERT of two columns at synchronous=FULL, each a transaction of its own.
func BenchmarkBareInsert(b *testing.B) {
	db, err := sql.Open("sqlite", filepath.Join(b.TempDir(), "bare.db")+"?_journal_mode=WAL&_synchronous=FULL")
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("CREATE TABLE bare (key TEXT PRIMARY KEY, value TEXT) STRICT"); err != nil {
		b.Fatal(err)
	}
	insert, err := db.Prepare("INSERT INTO bare VALUES (?, ?)")
	if err != nil {
		b.Fatal(err)
	}
	value := string(value200())
	n := 0
	for b.Loop() {
		n++
		if _, err := insert.Exec("key."+strconv.Itoa(n), value); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSet(b *testing.B) {
	m := open(b).Memories("ann")
	n := 0
	for b.Loop() {
		n++
		set(b, m, store.Entry{Key: "key." + strconv.Itoa(n), Value: value200()})
	}
}

// BenchmarkSetBy32 has 32 callers at once.
func BenchmarkSetBy32(b *testing.B) {
	m := open(b).Memories("ann")
	var n atomic.Int64
	b.SetParallelism(16) // times GOMAXPROCS
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			e := store.Entry{Key: "key." + strconv.FormatInt(n.Add(1), 10), Value: value200()}
			if _, err := m.Set(context.Background(), e); err != nil {
				b.Error(err)
			}
		}
	})
}

func BenchmarkGet(b *testing.B) {
	m := open(b).Memories("ann")
	set(b, m, store.Entry{Key: "city", Value: value200()})
	for b.Loop() {
		if _, err := m.Get(b.Context(), "city"); err != nil {
			b.Fatal(err)
		}
	}
}

func value200() json.RawMessage {
	return json.RawMessage(`"` + strings.Repeat("a word or two ", 14) + `"`)
}
