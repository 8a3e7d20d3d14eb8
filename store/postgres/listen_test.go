package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"kota/store"
)

// change changes a person's rows as another replica does.
func (d testDatabase) change(t *testing.T, db *DB, announced bool) {
	t.Helper()
	d.exec(t, "UPDATE kota.heads SET changes = changes + 1 WHERE owner = $1", db.tenant)
	if announced {
		d.exec(t, "SELECT pg_notify('kota_changes', $1)", fmt.Sprintf("99999,%d,x,", db.tenant))
	}
}

func mustWatch(t *testing.T, db *DB) *Watch {
	t.Helper()
	w, err := db.Watch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func waitFor(t *testing.T, w *Watch, limit time.Duration) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	err := w.Wait(ctx)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	return err == nil
}

func TestAWatchSeesOnlyChangesOfItsPerson(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	s := mustOpen(t, d.role(t, "CREATEROLE", true))
	ann, bob := mustTenant(t, s, "ann"), mustTenant(t, s, "bob")
	first, second, other := mustWatch(t, ann), mustWatch(t, ann), mustWatch(t, bob)
	d.change(t, ann, true)
	if !waitFor(t, first, 5*time.Second) || !waitFor(t, second, 5*time.Second) {
		t.Error("a watch did not see the change")
	}
	if waitFor(t, first, 50*time.Millisecond) || waitFor(t, other, 50*time.Millisecond) {
		t.Error("a watch saw a change twice, or of another person")
	}
	for range 3 {
		d.change(t, bob, true)
	}
	time.Sleep(50 * time.Millisecond)
	if !waitFor(t, other, 5*time.Second) || waitFor(t, other, 50*time.Millisecond) {
		t.Error("several changes before Wait are not one")
	}
}

func TestAWatchSeesChangesThroughALostConnection(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	s := mustOpen(t, d.role(t, "CREATEROLE", true))
	ann, bob := mustTenant(t, s, "ann"), mustTenant(t, s, "bob")
	w, other := mustWatch(t, ann), mustWatch(t, bob)
	const listener = "FROM pg_stat_activity WHERE datname = current_database() AND (query ILIKE 'LISTEN%' OR query = '-- ping')"
	for range 3 {
		for d.value(t, "SELECT count(pg_terminate_backend(pid)) "+listener) == "0" { // it has not connected again yet
			time.Sleep(10 * time.Millisecond)
		}
		d.change(t, ann, false) // while nobody listens
		if !waitFor(t, w, 10*time.Second) {
			t.Fatal("the change was missed")
		}
	}
	for d.value(t, "SELECT count(*) "+listener) == "0" {
		time.Sleep(10 * time.Millisecond)
	}
	d.change(t, ann, true)
	if !waitFor(t, w, 5*time.Second) {
		t.Error("the change after the loss was missed")
	}
	if waitFor(t, other, 50*time.Millisecond) {
		t.Error("a person without changes was told of one")
	}
}

func TestAWatchEndsWithItsServer(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	s := mustOpen(t, d.asSuperuser())
	ann := mustTenant(t, s, "ann")
	w, closed := mustWatch(t, ann), mustWatch(t, ann)
	if err := errors.Join(closed.Close(), closed.Close()); err != nil {
		t.Fatal(err)
	}
	if err := closed.Wait(t.Context()); !errors.Is(err, store.ErrClosed) {
		t.Errorf("a closed watch gave %v", err)
	}
	ended := make(chan error)
	go func() { ended <- w.Wait(context.Background()) }()
	s.Close()
	if err := <-ended; !errors.Is(err, store.ErrClosed) {
		t.Errorf("Wait gave %v", err)
	}
	if _, err := ann.Watch(t.Context()); err == nil {
		t.Error("a closed Server can be watched")
	}
}

func TestAStalledWatchConnectsAgain(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	p := newProxy(t, d.role(t, "CREATEROLE", true))
	user := strings.Replace(d.name, "kota_test", "login", 1)
	s := mustOpen(t, "postgres://"+user+"@"+p.address+"/"+d.name+"?sslmode=disable&connect_timeout=2")
	s.listener.ping = 200 * time.Millisecond
	ann := mustTenant(t, s, "ann")
	w := mustWatch(t, ann)
	p.stalled.Store(true)
	d.change(t, ann, true)
	time.Sleep(5 * s.listener.ping)
	p.stalled.Store(false)
	if !waitFor(t, w, 10*time.Second) {
		t.Error("the change during the stall was missed")
	}
}
