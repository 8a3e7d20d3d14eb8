package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kota/store/engine"
)

// In a synctest bubble the hour passes immediately.
func TestFailingIdleWorkIsRetriedLessOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var tries atomic.Int32
		var repaired atomic.Bool
		idle := newDebouncer(func(context.Context) error {
			tries.Add(1)
			if repaired.Load() {
				return nil
			}
			return errors.New("broken")
		})
		defer idle.close(0)
		idle.delay()
		time.Sleep(time.Hour)
		synctest.Wait()
		if n := tries.Load(); n < 60 || n > 75 {
			t.Errorf("tried %d times in an hour", n)
		}
		repaired.Store(true)
		time.Sleep(maxPause)
		synctest.Wait()
		tries.Store(0)
		time.Sleep(time.Hour)
		synctest.Wait()
		if n := tries.Load(); n != 0 {
			t.Errorf("tried %d times without work to do", n)
		}
		idle.delay()
		time.Sleep(idleDelay)
		synctest.Wait()
		if n := tries.Load(); n != 1 {
			t.Errorf("tried %d times after a write", n)
		}
	})
}

func TestWriteDuringIdleWorkStartsNoSecondRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most, passes atomic.Int32
		idle := newDebouncer(func(context.Context) error {
			passes.Add(1)
			most.Store(max(most.Load(), now.Add(1)))
			time.Sleep(10 * idleDelay)
			now.Add(-1)
			return nil
		})
		defer idle.close(0)
		idle.delay()
		time.Sleep(3 * idleDelay)
		idle.delay() // during the work
		time.Sleep(time.Hour)
		if most.Load() != 1 || passes.Load() != 2 {
			t.Errorf("%d at the same time, %d in total", most.Load(), passes.Load())
		}
	})
}

func TestCloseCancelsIdleWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		outcome := make(chan error, 1)
		idle := newDebouncer(func(ctx context.Context) error {
			<-ctx.Done()
			outcome <- ctx.Err()
			return ctx.Err()
		})
		idle.delay()
		time.Sleep(idleDelay)
		synctest.Wait()
		start := time.Now()
		idle.close(time.Hour)
		if err := <-outcome; !errors.Is(err, context.Canceled) || time.Since(start) != 0 {
			t.Errorf("closed after %v, the work got %v", time.Since(start), err)
		}
		idle.delay()
		time.Sleep(time.Hour) // a timer that is still running would start work
	})
}

func TestClosingDoesNotWaitForWorkThatNeverEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		end := make(chan struct{})
		idle := newDebouncer(func(context.Context) error { <-end; return nil })
		idle.delay()
		time.Sleep(idleDelay)
		synctest.Wait()
		start := time.Now()
		idle.close(time.Second)
		if waited := time.Since(start); waited != time.Second {
			t.Errorf("waited %v", waited)
		}
		close(end)
	})
}

func TestFailedWriteSchedulesNoIdleWork(t *testing.T) {
	db, err := Open(t.Context(), filepath.Join(t.TempDir(), "kota.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Write(t.Context(), func(engine.Tx) error { return errors.New("boom") }); err == nil {
		t.Fatal("it did not fail")
	}
	db.idleWork.mu.Lock()
	defer db.idleWork.mu.Unlock()
	if db.idleWork.timer != nil {
		t.Error("idle work is scheduled")
	}
}
