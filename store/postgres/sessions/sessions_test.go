package sessions

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kota/store"
	"kota/store/engine"
	"kota/store/postgres"
	"kota/store/postgres/pgtest"
)

// clock is the clock of a database.
type clock struct{ ms atomic.Int64 }

func (c *clock) now() time.Time          { return time.UnixMilli(c.ms.Load()).UTC() }
func (c *clock) advance(d time.Duration) { c.ms.Add(d.Milliseconds()) }

// newReplicas returns the sessions of a person at two replicas, and those of another person.
func newReplicas(t *testing.T) (first, second, other *Store, c *clock) {
	t.Helper()
	server := pgtest.Start(t)
	url := server.URL("", server.Database(t))
	c = &clock{}
	c.ms.Store(time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC).UnixMilli())
	open := func(name string) *Store {
		s, err := postgres.Open(t.Context(), url, postgres.Options{Now: c.now})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		db, err := s.Tenant(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		return New(db, "local")
	}
	return open("ann"), open("ann"), open("bob"), c
}

func must[T any](t *testing.T) func(T, error) T {
	return func(got T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
}

func text(s string) *string { return &s }

// Two replicas change one session at the same time. No change is lost, and nobody else sees it.
func TestChangesOfReplicasAreJoined(t *testing.T) {
	first, second, other, c := newReplicas(t)
	ctx := t.Context()
	if got := must[Session](t)(first.Begin(ctx, "s")); got.Tainted || !got.Began.Equal(c.now()) {
		t.Errorf("begun: %+v", got)
	}
	var all sync.WaitGroup
	for n := range 40 {
		all.Go(func() {
			s := []*Store{first, second}[n%2]
			if _, err := s.Save(ctx, "s", Change{Entries: map[string]*string{fmt.Sprint("key ", n): text("v")}}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	found := must[Session](t)(second.Find(ctx, "s", 0))
	if len(found.Entries) != 40 || found.Revision != 41 || found.Tainted {
		t.Errorf("%d entries, revision %d, tainted %v", len(found.Entries), found.Revision, found.Tainted)
	}
	if known := must[Session](t)(first.Find(ctx, "s", found.Revision)); known.Entries != nil || known.Revision != found.Revision {
		t.Errorf("a known state is read again: %+v", known)
	}
	earlier := c.now().Add(-time.Hour)
	must[Session](t)(first.Save(ctx, "s", Change{Tainted: true, Began: earlier, Entries: map[string]*string{"key 1": nil}}))
	must[Session](t)(second.Save(ctx, "s", Change{Entries: map[string]*string{"key 2": text("new\x00")}}))
	found = must[Session](t)(second.Find(ctx, "s", 0))
	if !found.Tainted || !found.Began.Equal(earlier) || len(found.Entries) != 39 || found.Entries["key 2"] != "new\x00" {
		t.Errorf("after the changes: %d entries %+v", len(found.Entries), found)
	}
	for _, id := range []string{"s", "", "unknown", "a'b\x00"} {
		if _, err := other.Find(ctx, id, 0); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("another person finds %q: %v", id, err)
		}
	}
	if _, err := other.Save(ctx, "s", Change{Tainted: true}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("another person saves: %v", err)
	}
	if err := errors.Join(other.End(ctx, "s"), second.End(ctx, "s")); err != nil {
		t.Fatal(err)
	}
	if _, err := first.Find(ctx, "s", 0); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("after its end: %v", err)
	}
	if got := must[Session](t)(first.Begin(ctx, "t")); got.Tainted {
		t.Error("a session inherits from one that its client has ended")
	}
}

// Replicas that count at the same time stay within the limit together.
func TestRemovedItemsAreCountedTogether(t *testing.T) {
	first, second, other, _ := newReplicas(t)
	ctx := t.Context()
	must[Session](t)(first.Begin(ctx, "s"))
	must[Session](t)(first.Save(ctx, "", Change{Tainted: true}))
	for _, id := range []string{"s", "", "s"} {
		var all sync.WaitGroup
		counted := atomic.Int64{}
		for n := range 12 {
			all.Go(func() {
				fits, err := []*Store{first, second}[n%2].CountRemoved(ctx, id, 2, 10)
				if err != nil {
					t.Error(err)
				}
				if fits {
					counted.Add(2)
				}
			})
		}
		all.Wait()
		if counted.Load() != 10 {
			t.Errorf("%q: %d are removed, want 10", id, counted.Load())
		}
		if err := second.ForgetRemoved(ctx, id); err != nil {
			t.Fatal(err)
		}
	}
	if fits, err := other.CountRemoved(ctx, "s", 1, 10); fits || err != nil {
		t.Errorf("another person counts: %v %v", fits, err)
	}
}

// Calls without a session need no beginning. Only some of them are recorded, so their taint outlasts
// the idle time of a session.
func TestCallsWithoutSessionShareTaint(t *testing.T) {
	first, second, _, c := newReplicas(t)
	if _, err := first.Find(t.Context(), "", 0); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("before: %v", err)
	}
	earlier := must[Session](t)(first.Save(t.Context(), "", Change{Tainted: true, Began: c.now(), Entries: map[string]*string{"a": text("a")}}))
	if got := must[Session](t)(second.Find(t.Context(), "", 0)); !got.Tainted {
		t.Errorf("at the other replica: %+v", got)
	}
	if got := must[Session](t)(second.Begin(t.Context(), "s")); got.Tainted {
		t.Error("a session inherits from calls without one")
	}
	c.advance(Idle + time.Second)
	if got := must[Session](t)(second.Find(t.Context(), "", 0)); !got.Tainted {
		t.Errorf("after a day: %+v", got)
	}
	c.advance(formerKept + time.Second)
	if _, err := second.Find(t.Context(), "", 0); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("after a month: %v", err)
	}
	if got := must[Session](t)(second.Save(t.Context(), "", Change{Entries: map[string]*string{"a": text("b")}})); got.Tainted || got.Revision <= earlier.Revision {
		t.Errorf("a new conversation is %+v after revision %d", got, earlier.Revision)
	}
}

// A session that nobody has used for a day is ended on all replicas, and a later one inherits its
// taint.
func TestIdleSessionsEndEverywhere(t *testing.T) {
	first, second, _, c := newReplicas(t)
	ctx, began := t.Context(), c.now()
	for _, id := range []string{"used", "idle", "saved"} {
		must[Session](t)(first.Begin(ctx, id))
	}
	must[Session](t)(first.Save(ctx, "idle", Change{Tainted: true, Began: began}))
	for range 30 {
		c.advance(time.Hour)
		must[Session](t)(second.Find(ctx, "used", 0))
	}
	for _, s := range []*Store{first, second} {
		must[Session](t)(s.Find(ctx, "used", 0))
		if _, err := s.Find(ctx, "idle", 0); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("find: %v", err)
		}
		if _, err := s.Save(ctx, "saved", Change{Tainted: true}); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("save: %v", err)
		}
		if err := s.ClaimStream(ctx, "gone", "stream"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("hold: %v", err)
		}
	}
	if got := must[Session](t)(second.Begin(ctx, "later")); !got.Tainted || !got.Began.Equal(began) {
		t.Errorf("a later session: %+v", got)
	}
	c.advance(formerKept)
	if got := must[Session](t)(second.Begin(ctx, "much later")); got.Tainted {
		t.Errorf("after a month: %+v", got)
	}
}

// The limit counts the sessions of all replicas. The one that was idle for the longest makes room,
// but none on which a client listens.
func TestSessionLimitCountsAllReplicas(t *testing.T) {
	first, second, other, c := newReplicas(t)
	ctx := t.Context()
	begin := func(s *Store, id string) error {
		c.advance(10 * time.Millisecond)
		_, err := s.Begin(ctx, id)
		return err
	}
	for n := range MaxOpen {
		if err := begin([]*Store{first, second}[n%2], fmt.Sprint("s", n)); err != nil {
			t.Fatal(err)
		}
	}
	if err := first.ClaimStream(ctx, "s0", "stream"); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for n := range 10 {
		all.Go(func() {
			if _, err := []*Store{first, second}[n%2].Begin(ctx, fmt.Sprint("new", n)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	open := 0
	for n := range MaxOpen {
		if _, err := second.Find(ctx, fmt.Sprint("s", n), 0); err == nil {
			open++
		}
	}
	if open != MaxOpen-10 {
		t.Errorf("%d of the first sessions are open, want %d", open, MaxOpen-10)
	}
	must[Session](t)(second.Find(ctx, "s0", 0)) // its client listens
	if err := begin(other, "of another person"); err != nil {
		t.Error(err)
	}
	if err := first.holdAll(ctx, c.now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := begin(second, "one more"); !errors.Is(err, store.ErrTooMany) {
		t.Errorf("while all clients listen: %v", err)
	}
}

// holdAll marks all sessions as held.
func (s *Store) holdAll(ctx context.Context, until time.Time) error {
	return s.db.WriteUnaudited(ctx, func(t engine.Tx) error {
		return t.Exec("UPDATE sessions SET held_until = ? WHERE owner = ?", until.UnixMilli(), s.owner)
	})
}

// A message reaches all replicas, in order, and nobody else. It is removed later.
func TestMessagesReachReplicas(t *testing.T) {
	first, second, other, c := newReplicas(t)
	ctx := t.Context()
	for n := range 3 {
		if err := first.Send(ctx, "s", []byte(fmt.Sprint("message ", n))); err != nil {
			t.Fatal(err)
		}
	}
	if err := first.Send(ctx, "t", []byte("of another session")); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Store{first, second} {
		got := must[[]Message](t)(s.Messages(ctx, []string{"s", "u"}, 0))
		if len(got) != 3 || string(got[2].Body) != "message 2" || got[2].Session != "s" {
			t.Errorf("got %+v", got)
		}
		if got := must[[]Message](t)(s.Messages(ctx, []string{"s"}, got[1].Number)); len(got) != 1 {
			t.Errorf("after the second: %+v", got)
		}
	}
	if got := must[[]Message](t)(other.Messages(ctx, []string{"s", "t"}, 0)); len(got) != 0 {
		t.Errorf("another person gets %+v", got)
	}
	c.advance(messageKept)
	if err := first.Send(ctx, "s", []byte("later")); err != nil {
		t.Fatal(err)
	}
	if got := must[[]Message](t)(second.Messages(ctx, []string{"s", "t"}, 0)); len(got) != 1 {
		t.Errorf("later: %+v", got)
	}
	c.advance(messageKept)
	must[Session](t)(second.Begin(ctx, "u"))
	if got := must[[]Message](t)(first.Messages(ctx, []string{"s", "t"}, 0)); len(got) != 0 {
		t.Errorf("after the next session: %+v", got)
	}
}
