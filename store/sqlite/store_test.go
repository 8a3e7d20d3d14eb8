package sqlite_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/tables/memory"
)

// open opens a new database in its own folder.
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

// A clock does not advance until it is set. Background work may read it at the same
// time.
type clock struct{ at atomic.Pointer[time.Time] }

func (c *clock) now() time.Time { return *c.at.Load() }

func (c *clock) set(at time.Time) { c.at.Store(&at) }

func clockAt(at time.Time) *clock {
	c := &clock{}
	c.set(at)
	return c
}

func newClock() *clock { return clockAt(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)) }

func jsonText(s string) json.RawMessage { return json.RawMessage(fmt.Sprintf("%q", s)) }

func set(t testing.TB, m *memory.Store, e store.Entry) store.WriteResult {
	t.Helper()
	w, err := m.Set(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	return w
}
