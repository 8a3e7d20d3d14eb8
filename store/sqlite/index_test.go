package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"kota/store"
	"kota/store/engine"
	"kota/store/sqlite"
	"kota/store/tables/index"
	"kota/store/tables/memory"
)

func countStale(t testing.TB, db *sqlite.DB) int {
	t.Helper()
	n := 0
	if err := db.Read(context.Background()).Row("SELECT count(*) FROM memories WHERE stale = 1").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestIndexAgreesWithTheTable(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			db := open(t)
			m, r := memory.New(db, "ann"), rand.New(rand.NewPCG(seed, 1))
			undo := []string{}
			words := func() string {
				some := make([]string, 1+r.IntN(6))
				for i := range some {
					some[i] = specialWords[r.IntN(len(specialWords))]
				}
				return strings.Join(some, " ")
			}
			key := func() string { return fmt.Sprintf("%s %d", specialWords[r.IntN(len(specialWords))], r.IntN(5)) }
			for range 150 {
				var err error
				switch operation := r.IntN(10); {
				case operation < 5:
					_, err = m.Set(t.Context(), store.Entry{Key: key(), Value: jsonText(words()), Tags: []string{words()}})
				case operation < 6:
					var deleted store.DeleteResult
					deleted, err = m.Delete(t.Context(), store.Target{Key: key()}, false)
					undo = append(undo, deleted.Undo)
				case operation < 7 && len(undo) > 0:
					_, err = m.Restore(t.Context(), undo[r.IntN(len(undo))])
				case operation < 8:
					_, err = m.Erase(t.Context(), store.Target{Key: key()}, false)
				default:
					_, err = m.Recall(t.Context(), store.RecallQuery{Text: words(), Limit: 3})
				}
				conflict := (*store.ConflictError)(nil)
				if err != nil && !errors.Is(err, store.ErrNotFound) && !errors.Is(err, store.ErrInvalid) && !errors.As(err, &conflict) {
					t.Fatal(err)
				}
			}
			if err := m.Index(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := index.Check(t.Context(), db, indexes()...); err != nil {
				t.Error(err)
			}
			if _, err := m.Erase(t.Context(), store.Target{Filter: store.Filter{Archived: true}}, false); err != nil {
				t.Fatal(err)
			}
			if _, err := m.Erase(t.Context(), store.Target{Filter: store.Filter{Before: db.Now().Add(time.Hour)}}, false); err != nil {
				t.Fatal(err)
			}
			left := 0
			if err := db.Read(t.Context()).Row("SELECT (SELECT count(*) FROM memories_terms WHERE docs <> 0) + (SELECT count(*) FROM memories_docs)").Scan(&left); err != nil || left != 0 {
				t.Errorf("%d index rows are left after all memories were erased (%v)", left, err)
			}
		})
	}
}

var specialWords = []string{"apple", "Apples", "Ärger", "C++", `"`, "'", "漢字", "🎂", "AND", "x", "home_address", "homeAddress", "\x00", "a@b.com", "-", "ß", "running", "runs", strings.Repeat("w", 90)}

func TestRebuildRepairsWhatCheckFinds(t *testing.T) {
	for name, damage := range map[string]string{
		"a document is missing":        "DELETE FROM memories_docs WHERE id = 2",
		"a document has another owner": "UPDATE memories_docs SET owner = 'eve' WHERE id = 2",
		"a document is outdated":       "UPDATE memories_docs SET body = 'pear' WHERE id = 2",
		"a memory was changed":         `UPDATE memories SET value = '"pear"' WHERE id = 2`,
		"a memory is gone":             "DELETE FROM memories WHERE id = 2",
		"a term is counted wrong":      "UPDATE memories_terms SET docs = docs + 1 WHERE term = 'apple'",
		"a term is missing":            "DELETE FROM memories_terms WHERE term = 'apple'",
		"the words lack a document":    "INSERT INTO memories_words (memories_words, rowid, key, labels, body, initials) SELECT 'delete', id, key, labels, body, initials FROM memories_docs WHERE id = 2",
		"the words are empty":          "INSERT INTO memories_words (memories_words) VALUES ('delete-all')",
		"the trigrams are empty":       "INSERT INTO memories_grams (memories_grams) VALUES ('delete-all')",
		"the documents are all gone":   "DELETE FROM memories_docs",
	} {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			m := memory.New(db, "ann")
			for i := range 5 {
				set(t, m, store.Entry{Key: fmt.Sprint("key ", i), Value: jsonText("apple tree")})
			}
			if err := m.Index(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := index.Check(t.Context(), db, indexes()...); err != nil {
				t.Fatal(err)
			}
			if err := db.Write(t.Context(), func(t engine.Tx) error { return t.Exec(damage) }); err != nil {
				t.Fatal(err)
			}
			if err := index.Check(t.Context(), db, indexes()...); !errors.Is(err, store.ErrCorrupt) {
				t.Errorf("check says %v", err)
			}
			progress := [2]int{}
			if err := index.Rebuild(t.Context(), db, func(done, total int) { progress = [2]int{done, total} }, indexes()...); err != nil {
				t.Fatal(err)
			}
			if err := index.Check(t.Context(), db, indexes()...); err != nil || progress[0] != progress[1] || progress[1] < 4 {
				t.Errorf("after a rebuild: %v, progress %v", err, progress)
			}
		})
	}
}

func TestRecallWorksWhenTheIndexCannotBeWritten(t *testing.T) {
	for name, pragma := range map[string]string{"read-only": "PRAGMA query_only = 1", "full": "PRAGMA max_page_count = 1"} {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			m := memory.New(db, "ann")
			for i := range 200 { // their index does not fit into the free pages
				set(t, m, store.Entry{Key: fmt.Sprint("old ", i), Value: jsonText(fmt.Sprintf("apple %d %x", i, i*7919))})
			}
			if err := m.Index(t.Context()); err != nil {
				t.Fatal(err)
			}
			db.StopIdleWork() // no background work indexes
			set(t, m, store.Entry{Key: "old 7", Value: jsonText("this says quince now")})
			for i := range 200 {
				set(t, m, store.Entry{Key: fmt.Sprint("new ", i), Value: jsonText(strings.Repeat(fmt.Sprintf("apple %d%x ", i, i*104729), 20))})
			}
			if err := db.Exclusive(t.Context(), func(conn *sql.Conn) error { _, err := conn.ExecContext(t.Context(), pragma); return err }); err != nil {
				t.Fatal(err)
			}
			before := countStale(t, db)
			found, err := m.Recall(t.Context(), store.RecallQuery{Text: "quinces", Limit: 3})
			if err != nil || len(found.Hits) != 1 || found.Hits[0].Memory.Key != "old 7" {
				t.Errorf("a changed memory: %+v, %v", found, err)
			}
			found, err = m.Recall(t.Context(), store.RecallQuery{Text: "apples", Limit: 400})
			if err != nil || len(found.Hits) < 300 || found.Unindexed != 0 {
				t.Errorf("old and new: %d hits, %d not searched, %v", len(found.Hits), found.Unindexed, err)
			}
			if countStale(t, db) == 0 || before == 0 {
				t.Error("the index was written, so this test checks nothing")
			}
		})
	}
}

func TestIdleDatabaseIndexesNewRows(t *testing.T) {
	db := open(t)
	m := memory.New(db, "ann")
	for i := range 3 * 64 {
		set(t, m, store.Entry{Key: fmt.Sprint("key ", i), Value: jsonText("apple")})
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for countStale(t, db) > 0 {
		if ctx.Err() != nil {
			t.Fatalf("%d are still not indexed", countStale(t, db))
		}
	}
	if err := index.Check(t.Context(), db, indexes()...); err != nil {
		t.Error(err)
	}
}
