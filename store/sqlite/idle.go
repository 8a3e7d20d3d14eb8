package sqlite

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	// quiet is how long no write may happen before background work starts. A burst of writes thus
	// has the disk to itself.
	quiet = 100 * time.Millisecond
	// longestPause limits the time between two tries of failing work.
	longestPause = time.Minute
)

// A debouncer runs work when no writes happen any more, one piece at a time. It needs no
// goroutine while there is nothing to do.
type debouncer struct {
	work func(context.Context) error
	ctx  context.Context // ends with close
	end  context.CancelFunc

	mu      sync.Mutex
	timer   *time.Timer // nil before the first write
	failed  int         // failed tries since the last success
	working bool
	again   bool // a write happened while it worked
	closed  bool
	busy    sync.WaitGroup
}

func newIdler(work func(context.Context) error) *debouncer {
	i := &debouncer{work: work}
	i.ctx, i.end = context.WithCancel(context.Background())
	return i
}

// wrote delays the work. It is called after every commit, also after those of the work itself, so
// that pieces of work follow each other until nothing is left.
func (i *debouncer) wrote() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.failed = 0
	i.wait(quiet)
}

// tryAgain schedules work that failed. The pause doubles with each failure in a row.
func (i *debouncer) tryAgain() {
	i.mu.Lock()
	defer i.mu.Unlock()
	pause := longestPause
	if i.failed < 9 {
		pause = quiet << i.failed
	}
	i.failed++
	i.wait(pause)
}

func (i *debouncer) wait(pause time.Duration) {
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
		i.again = i.working
		i.mu.Unlock()
		return
	}
	i.working = true
	i.busy.Add(1)
	i.mu.Unlock()
	defer i.busy.Done()
	err := i.work(i.ctx)
	i.mu.Lock()
	again := i.again
	i.working, i.again = false, false
	i.mu.Unlock()
	switch {
	case err != nil:
		i.tryAgain()
	case again:
		i.wrote()
	}
}

// close cancels the current work, waits at most patience for it to end, and prevents new work.
func (i *debouncer) close(patience time.Duration) {
	i.mu.Lock()
	i.closed = true
	if i.timer != nil {
		i.timer.Stop()
	}
	i.mu.Unlock()
	i.end()
	ended := make(chan struct{})
	go func() {
		i.busy.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(patience):
	}
}

// tidy runs the Tidy hooks, cleans up after an incomplete erasure, and removes expired approvals.
// The next Open or Erase does what is left.
func (db *DB) tidy(ctx context.Context) error {
	err := error(nil)
	for _, h := range db.hooks() {
		if h.Tidy != nil {
			err = errors.Join(err, h.Tidy(ctx))
		}
	}
	err = errors.Join(err, db.clean(ctx, 1), db.forgetExpired(ctx))
	if err != nil {
		db.log.Debug("work in the background", "err", err)
	}
	return err
}
