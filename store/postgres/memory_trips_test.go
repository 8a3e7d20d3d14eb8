package postgres

import (
	"context"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"kota/store"
	"kota/store/storetest"
	"kota/store/tables/audit"
	"kota/store/tables/memory"
)

// A call makes a fixed number of trips to the server, for one memory and for many. A trip through a
// network often costs more than the work of the server. The first trip of a write locks the head of
// the tenant and asks for the time, the last one commits.
func TestCallsOnMemoriesMakeFewTrips(t *testing.T) {
	t.Parallel()
	h := newHousehold(t, 1)
	log := &statementLog{}
	h.oneLane(t, traced(log))
	h.traceReads(t, log)
	db := h.people[0]
	m := memory.New(db, "ann")
	audit.New(db, trailOf)
	for i := range 100 {
		setMemory(t, m, fmt.Sprintf("key %02d", i))
		setMemory(t, m, fmt.Sprintf("single %02d", i))
	}
	ctx := t.Context()
	if _, err := m.Delete(ctx, store.Target{Key: "single 09"}, false); err != nil {
		t.Fatal(err)
	}
	db.stopBackground()
	for _, tt := range []struct {
		call  string
		trips int
		run   func() error
	}{
		{"get", 1, func() error { _, err := m.Get(ctx, "key 07"); return err }},
		{"get another spelling", 2, func() error { _, err := m.Get(ctx, "key_07"); return err }},
		{"set a new key", 3, func() error { setMemory(t, m, "key of its own"); return nil }},
		{"set an audited new key", 3, func() error {
			call := audit.NewTrail(store.AuditEntry{Owner: "ann", Tool: "memory_set", Effect: "writes", Args: []byte("{}")})
			_, err := m.Set(context.WithValue(ctx, trailKey{}, call), store.Entry{Key: "audited", Value: storetest.JSONText("x")})
			return err
		}},
		{"set an existing key", 2, func() error {
			_, err := m.Set(ctx, store.Entry{Key: "key 07", Value: storetest.JSONText("new")})
			return err
		}},
		{"set a deleted key", 2, func() error { setMemory(t, m, "single 09"); return nil }},
		{"update", 2, func() error {
			_, err := m.Update(ctx, store.Edit{Key: "single 10", AddTags: []string{"new"}})
			return err
		}},
		{"list 50", 1, func() error { _, _, err := m.List(ctx, store.Filter{}, store.Page{Limit: 50}); return err }},
		{"delete one", 2, func() error {
			_, err := m.Delete(ctx, store.Target{Key: "single 07"}, false)
			return err
		}},
		{"delete 100", 3, func() error {
			deleted, err := m.Delete(ctx, store.Target{Filter: store.Filter{Prefix: "key "}}, false)
			if len(deleted.Keys) < 100 {
				t.Errorf("deleted %d", len(deleted.Keys))
			}
			return err
		}},
		{"erase one", 3, func() error {
			_, err := m.Erase(ctx, store.Target{Key: "single 08"}, false)
			return err
		}},
		{"history", 3, func() error { _, err := m.History(ctx, "key 07", 10); return err }},
		{"similar", 1, func() error { _, err := m.Similar(ctx, "key 077", 3); return err }},
		{"statistics", 1, func() error { _, err := m.Stats(ctx); return err }},
		{"undoable", 2, func() error { _, err := m.Undoable(ctx, 10); return err }},
	} {
		log.take()
		if err := tt.run(); err != nil {
			t.Errorf("%s: %v", tt.call, err)
		}
		if statements, trips := log.take(); trips > tt.trips {
			t.Errorf("%s makes %d trips, want %d: %q", tt.call, trips, tt.trips, statements)
		}
	}
}

func setMemory(t *testing.T, m *memory.Store, key string) {
	t.Helper()
	if _, err := m.Set(t.Context(), store.Entry{Key: key, Value: storetest.JSONText("x")}); err != nil {
		t.Fatal(err)
	}
}

// traceReads records the statements of reads in a log.
func (h *household) traceReads(t *testing.T, l *statementLog) {
	t.Helper()
	config := h.Server.reads.Config()
	traced(l)(config.ConnConfig)
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	h.Server.reads.Close()
	h.Server.reads = pool
}

// stopBackground ends the work in the background, whose trips a test would count.
func (s *Server) stopBackground() {
	s.idle.close()
	s.idle.wait()
}
