package memory_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/memory"
	"kota/store/enginetest"
	memorystore "kota/store/tables/memory"
)

// A clock is a time that the test sets.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func newClock() *clock { return &clock{t: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.t }

func (c *clock) advance(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.t = c.t.Add(d) }

// newBundle returns the bundle with a new database.
func newBundle(t *testing.T, c *clock) (bundles.Bundle, enginetest.Database) {
	t.Helper()
	return newBundleIn(t, c, time.UTC)
}

// newBundleIn is like newBundle for a user in that zone.
func newBundleIn(t *testing.T, c *clock, zone *time.Location) (bundles.Bundle, enginetest.Database) {
	t.Helper()
	db := enginetest.Open(t, c.now)
	b := memory.New(memory.Deps{
		Memories: func(context.Context) (memory.Memories, error) { return memorystore.New(db, "local"), nil },
		Now:      c.now, Zone: func() *time.Location { return zone },
	})
	b.Enabled = true
	return b, db
}

func TestBundle(t *testing.T) {
	bundletest.Run(t, bundletest.Case{
		New: func(t *testing.T) bundles.Bundle {
			b, _ := newBundle(t, newClock())
			return b
		},
		Seed: func(t *testing.T, b bundles.Bundle) {
			for _, args := range []map[string]any{
				{"key": "theme", "value": "light", "category": "preferences"},
				{"key": "anna", "value": map[string]any{"role": "dentist"}, "category": "people"},
				{"key": "comm_style", "value": "concise", "tags": []string{"style"}},
				{"key": "session", "value": map[string]any{"step": 3}, "category": "state"},
			} {
				if _, err := bundletest.Call(t, b, "memory_set", args); err != nil {
					t.Fatal(err)
				}
			}
			// The example restores version 1 of anna and uses the first undo id.
			if _, err := bundletest.Call(t, b, "memory_update", map[string]any{"key": "anna", "addition": map[string]any{"phone": "555 0100"}}); err != nil {
				t.Fatal(err)
			}
		},
		ConcurrentChanges: concurrentChanges(),
		Others:            []string{"daily", "gmail"},
	})
}
