package postgres

import (
	"context"
	"errors"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"kota/store/engine"
)

type upkeep struct{ runs, failures atomic.Int32 }

func TestIdleWorkRunsForWrittenPeopleOnly(t *testing.T) {
	t.Parallel()
	s := mustOpen(t, newDatabase(t).asSuperuser())
	ann, bob := mustTenant(t, s, "ann"), mustTenant(t, s, "bob")
	of := func(db *DB) *upkeep {
		return db.Extend(reflect.TypeFor[upkeep](), func() (any, engine.Hook) {
			u := &upkeep{}
			return u, engine.Hook{OnIdle: func(context.Context) error {
				switch u.runs.Add(1) {
				case 1:
					u.failures.Add(1)
					return errors.New("not now")
				case 2:
					u.failures.Add(1)
					panic("a memory")
				}
				return nil
			}}
		}).(*upkeep)
	}
	first, second := of(ann), of(bob)
	if of(ann) != first || first == second {
		t.Fatal("the extensions of people are mixed up")
	}
	for range 50 {
		s.idle.delay(ann, idleAgain)
	}
	for deadline := time.Now().Add(10 * time.Second); first.runs.Load() < 3 && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(5 * idleAgain)
	if first.runs.Load() != 3 || first.failures.Load() != 2 || second.runs.Load() != 0 {
		t.Errorf("ann's work ran %d times, bob's %d times", first.runs.Load(), second.runs.Load())
	}
	s.idle.mu.Lock()
	running := s.idle.running
	s.idle.mu.Unlock()
	if running {
		t.Error("the worker has no work and runs")
	}
}

// A replica may have many people whose outcomes wait: all of them share the time.
func TestCloseHooksOfAllPeopleRunTogether(t *testing.T) {
	t.Parallel()
	h := newHousehold(t, 3)
	began, left := atomic.Int64{}, atomic.Int64{}
	for _, db := range h.people {
		db.Extend(reflect.TypeFor[idleTask](), func() (any, engine.Hook) {
			return nil, engine.Hook{Close: func(ctx context.Context) {
				began.Add(1)
				for began.Load() < 3 && ctx.Err() == nil {
					time.Sleep(time.Millisecond)
				}
				if ctx.Err() != nil {
					left.Add(1)
				}
			}}
		})
	}
	if err := h.Close(); err != nil || left.Load() > 0 || began.Load() != 3 {
		t.Errorf("%d began, %d had no time, %v", began.Load(), left.Load(), err)
	}
}
