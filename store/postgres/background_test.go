package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"testing"
	"time"

	"kota/store"
	"kota/store/engine"
	"kota/store/tables/memory"
)

func TestBackgroundWritesDoNotDelayOthers(t *testing.T) {
	t.Parallel()
	h := newHousehold(t, 2)
	h.oneLane(t)
	release := h.hold(t, h.people[0])
	waits := make(chan error, 1)
	go func() {
		waits <- h.people[0].Write(context.WithValue(context.Background(), backgroundKey{}, true), func(tx engine.Tx) error {
			_, err := tx.Change("UPDATE memories SET stale = 0 WHERE owner = ?", h.people[0].Owner(""))
			return err
		})
	}()
	for h.Server.writes.background.queued() > 0 {
		time.Sleep(time.Millisecond)
	}
	if _, err := memory.New(h.people[1], "bob").Set(t.Context(), store.Entry{Key: "key", Value: json.RawMessage(`1`)}); err != nil {
		t.Error(err)
	}
	select {
	case err := <-waits:
		t.Errorf("the background did not wait: %v", err)
	default:
	}
	release()
	if err := <-waits; err != nil {
		t.Error(err)
	}
}

// A plan that was made while a table was empty must not read all rows of all people later.
func TestStatementsUseIndexesInGrowingTables(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	s := mustOpen(t, d.asSuperuser())
	const people, each = 10, 40
	for n := range people * each {
		name := fmt.Sprint("person", n%people)
		memories := memory.New(mustTenant(t, s, name), name)
		if _, err := memories.Set(t.Context(), store.Entry{Key: fmt.Sprint("key ", n), Value: json.RawMessage(`"a few words"`)}); err != nil {
			t.Fatal(err)
		}
		if n%each == 0 {
			if err := memories.Index(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Close(); err != nil { // the server counts what a connection has read when it ends
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond)
	read := d.value(t, "SELECT sum(seq_tup_read)::bigint FROM pg_stat_user_tables WHERE schemaname = 'kota' AND relname IN ('memories', 'docs', 'terms', 'blocks', 'audit')")
	if rows, err := strconv.Atoi(read); err != nil || rows > 1000 {
		t.Errorf("%s rows were read without an index (%v)", read, err)
	}
}
