package postgres

import (
	"context"
	"fmt"
	"testing"

	"kota/store"
	"kota/store/engine"
	"kota/store/tables/memory"
)

// A tripCounter counts the reads of a DB. Each is one trip to the server.
type tripCounter struct {
	*DB
	trips int
}

func (c *tripCounter) Read(ctx context.Context) engine.Reader {
	return countedReader{c.DB.Read(ctx), c}
}

type countedReader struct {
	engine.Reader
	counter *tripCounter
}

func (r countedReader) Row(query string, args ...any) engine.Scanner {
	r.counter.trips++
	return r.Reader.Row(query, args...)
}

func (r countedReader) Aggregate(query string, args ...any) engine.Scanner {
	r.counter.trips++
	return r.Reader.Aggregate(query, args...)
}

func (r countedReader) Query(query string, args ...any) (engine.Rows, error) {
	r.counter.trips++
	return r.Reader.Query(query, args...)
}

func (r countedReader) QueryFixed(query string, args ...any) (engine.Rows, error) {
	r.counter.trips++
	return r.Reader.QueryFixed(query, args...)
}

func TestRecallTakesFewTrips(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 100, 3000} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			h := newHousehold(t, 1)
			db := h.people[0]
			insertMany(t, db, size)
			counter := &tripCounter{DB: db}
			m := memory.New(counter, "ann")
			if err := m.Index(t.Context()); err != nil {
				t.Fatal(err)
			}
			db.stopBackground()
			for text, most := range map[string]int{
				"which word is number 7":        5, // exact key, terms, lists, documents, memories
				"word number":                   5,
				"nuumber of wrd 8":              7, // unknown words: their similar terms, and terms with their trigrams
				"number":                        7, // it may be an abbreviation: initials, and the keys with its letters
				"memory 1":                      5,
				"one two three four five six 6": 7,
			} {
				counter.trips = 0
				if _, err := m.Recall(t.Context(), store.RecallQuery{Text: text, Limit: 10}); err != nil {
					t.Fatal(err)
				}
				if counter.trips > most {
					t.Errorf("%q among %d memories takes %d trips, want at most %d", text, size, counter.trips, most)
				}
			}
		})
	}
}

// insertMany adds memories in one statement.
func insertMany(t testing.TB, db *DB, size int) {
	t.Helper()
	err := db.Write(t.Context(), func(tx engine.Tx) error {
		return tx.Exec(`INSERT INTO memories (id, owner, key, norm, value, category, tags, source, importance, pinned, created, updated, version, stale)
			SELECT n, ?1::bigint, 'memory ' || n, 'memory ' || n, '"the word of number ' || n || ' is x' || md5(n::text) || ' and w' || n % 50 || '"', '', '[]', '', 1, 0, n, n, 1, 1
			FROM generate_series(1, ?2::bigint) AS n`, db.Owner(""), size)
	})
	if err != nil {
		t.Fatal(err)
	}
}
