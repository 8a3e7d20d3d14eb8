package daily_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/daily"
	"kota/store"
)

// A desk is the bundle at work over a real database, at a time and place of the
// test's.
type desk struct {
	bundle    bundles.Bundle
	deps      daily.Deps
	now       time.Time
	zone      *time.Location
	dayStarts time.Duration
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{zone: location(t, "Europe/Amsterdam"), dayStarts: 4 * time.Hour}
	d.now = time.Date(2026, 11, 21, 12, 0, 0, 0, d.zone)
	path := filepath.Join(t.TempDir(), "kota.db")
	open := sync.OnceValues(func() (*store.DB, error) {
		db, err := store.Open(context.Background(), path, store.Options{Now: func() time.Time { return d.now }})
		if err == nil {
			t.Cleanup(func() { db.Close() })
		}
		return db, err
	})
	d.deps = daily.Deps{
		DB:        func(context.Context) (*store.DB, error) { return open() },
		Now:       func() time.Time { return d.now },
		Zone:      func() *time.Location { return d.zone },
		DayStarts: func() time.Duration { return d.dayStarts },
	}
	d.bundle = daily.New(d.deps)
	return d
}

func location(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// call runs an action and decodes its answer.
func call[Out any](t *testing.T, b bundles.Bundle, tool string, args any) (Out, error) {
	t.Helper()
	var out Out
	raw, err := bundletest.Call(t, b, tool, args)
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out, nil
}

// must is call for an action that has to succeed.
func must[Out any](t *testing.T, b bundles.Bundle, tool string, args any) Out {
	t.Helper()
	out, err := call[Out](t, b, tool, args)
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return out
}

// args are those of a call.
type args = map[string]any
