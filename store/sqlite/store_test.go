package sqlite_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"kota/store"
	"kota/store/sqlite"
)

// open opens a new database in a folder of its own.
func open(t testing.TB) *sqlite.DB {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "kota.db"), sqlite.Options{})
}

func openAt(t testing.TB, path string, opts sqlite.Options) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), path, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	auditLog(db)
	return db
}

// A clock stands still until it is moved. What tidies up beside a test reads it too.
type clock struct{ at atomic.Pointer[time.Time] }

func (c *clock) now() time.Time { return *c.at.Load() }

func (c *clock) set(at time.Time) { c.at.Store(&at) }

func clockAt(at time.Time) *clock {
	c := &clock{}
	c.set(at)
	return c
}

func newClock() *clock { return clockAt(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)) }

func text(s string) json.RawMessage { return json.RawMessage(fmt.Sprintf("%q", s)) }

func set(t testing.TB, m *sqlite.Memories, e store.Entry) store.Written {
	t.Helper()
	w, err := m.Set(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func keys(memories []*store.Memory) []string {
	keys := []string{}
	for _, m := range memories {
		keys = append(keys, m.Key)
	}
	return keys
}

func TestMemoriesSurviveClosing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "kota.db")
	db := openAt(t, path, sqlite.Options{})
	set(t, db.Memories("ann"), store.Entry{Key: "city", Value: text("Bern")})
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := openAt(t, path, sqlite.Options{}).Memories("ann").Get(t.Context(), "city")
	if err != nil || string(got.Value) != `"Bern"` {
		t.Fatalf("got %v, %v", got, err)
	}
}

func TestOwnersDoNotSeeEachOther(t *testing.T) {
	db := open(t)
	set(t, db.Memories("ann"), store.Entry{Key: "city", Value: text("Bern")})
	if _, err := db.Memories("bob").Get(t.Context(), "city"); !errors.Is(err, store.ErrNotFound) {
		t.Fatalf("bob gets %v", err)
	}
	list, _, err := db.Memories("bob").List(t.Context(), store.Filter{}, store.Page{Limit: 9})
	if err != nil || len(list) != 0 {
		t.Fatalf("bob lists %v, %v", keys(list), err)
	}
}
