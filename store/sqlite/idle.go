package sqlite

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	// idleDelay is the time without a write after which background work starts. Background work
	// thus does not slow down a burst of writes.
	idleDelay = 100 * time.Millisecond
	// maxPause limits the time between two attempts of failing work.
	maxPause = time.Minute
)

// A debouncer runs work once there have been no writes for a while, one run at a time. It uses no
// goroutine while there is nothing to do.
type debouncer struct {
	work   func(context.Context) error
	ctx    context.Context // ends with close
	cancel context.CancelFunc

	mu      sync.Mutex
	timer   *time.Timer // nil until the work is first scheduled
	failed  int         // failed attempts since the last commit
	working bool
	rerun   bool // the work became due again while it was running
	closed  bool
	busy    sync.WaitGroup
}

func newDebouncer(work func(context.Context) error) *debouncer {
	i := &debouncer{work: work}
	i.ctx, i.cancel = context.WithCancel(context.Background())
	return i
}

// delay delays the work. Call it after every commit, also after commits of the work itself, so
// that the work runs again until nothing is left.
func (i *debouncer) delay() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.failed = 0
	i.schedule(idleDelay)
}

// retry schedules the work again after a failure. The pause doubles with each failure in a row.
func (i *debouncer) retry() {
	i.mu.Lock()
	defer i.mu.Unlock()
	pause := maxPause
	if i.failed < 9 {
		pause = idleDelay << i.failed
	}
	i.failed++
	i.schedule(pause)
}

func (i *debouncer) schedule(pause time.Duration) {
	switch {
	case i.closed:
	case i.timer == nil:
		i.timer = time.AfterFunc(pause, i.run)
	default:
		i.timer.Reset(pause)
	}
}

func (i *debouncer) run() {
	i.mu.Lock()
	if i.closed || i.working {
		i.rerun = i.working
		i.mu.Unlock()
		return
	}
	i.working = true
	i.busy.Add(1)
	i.mu.Unlock()
	defer i.busy.Done()
	err := i.work(i.ctx)
	i.mu.Lock()
	again := i.rerun
	i.working, i.rerun = false, false
	i.mu.Unlock()
	switch {
	case err != nil:
		i.retry()
	case again:
		i.delay()
	}
}

// close cancels the current work, waits at most timeout for its end, and prevents new work.
func (i *debouncer) close(timeout time.Duration) {
	i.mu.Lock()
	i.closed = true
	if i.timer != nil {
		i.timer.Stop()
	}
	i.mu.Unlock()
	i.cancel()
	ended := make(chan struct{})
	go func() {
		i.busy.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(timeout):
	}
}

// runIdleWork runs the OnIdle hooks, cleans up after an incomplete erasure, and removes expired
// approvals. If that fails, it runs again; the next Open or Erase cleans up too.
func (db *DB) runIdleWork(ctx context.Context) error {
	err := error(nil)
	for _, h := range db.Hooks() {
		if h.OnIdle != nil {
			err = errors.Join(err, h.OnIdle(ctx))
		}
	}
	err = errors.Join(err, db.clean(ctx, 1), db.deleteExpired(ctx))
	if err != nil {
		db.log.Debug("work in the background", "err", err)
	}
	return err
}
