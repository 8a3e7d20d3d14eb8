package vault_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kota/auth/vault/vaulttest"
)

func TestOneServerHoldsLock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rows, inside, all := &vaulttest.Rows{}, 0, sync.WaitGroup{}
		for range 5 {
			all.Go(func() {
				unlock, err := open(t, rows, first).Lock(t.Context(), "ann")
				if err != nil {
					t.Error(err)
					return
				}
				if inside++; inside > 1 {
					t.Error("two have the lock")
				}
				time.Sleep(time.Second)
				inside--
				unlock()
			})
		}
		all.Wait()
		if list, _ := rows.List(t.Context()); len(list) > 0 {
			t.Errorf("left: %+v", list)
		}
	})
}

// A server that was killed keeps its lock for a while. When it comes back, it must not end the lock of
// the next one.
func TestLockOfDeadServerIsTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rows := &vaulttest.Rows{}
		late, err := open(t, rows, first).Lock(t.Context(), "ann")
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		unlock, err := open(t, rows, first).Lock(t.Context(), "ann")
		if waited := time.Since(began); err != nil || waited < 40*time.Second || waited > 42*time.Second {
			t.Fatalf("taken after %s: %v", waited, err)
		}
		late()
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if _, err := open(t, rows, first).Lock(ctx, "ann"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a third server got %v", err)
		}
		other, err := open(t, rows, first).Lock(t.Context(), "bob")
		if err != nil {
			t.Fatal(err)
		}
		other()
		unlock()
	})
}
