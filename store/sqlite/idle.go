package sqlite

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	// quiet is how long nobody may write before there is work in the
	// background: a burst of writes has the disk to itself.
	quiet = 100 * time.Millisecond
	// longestPause bounds the time between two tries of work that fails.
	longestPause = time.Minute
)

// A debouncer works when nobody writes any more, one piece at a time. It needs no
// goroutine while there is nothing to do.
type debouncer struct {
	work func(context.Context) error
	ctx  context.Context // ends with close
	end  context.CancelFunc

	mu      sync.Mutex
	timer   *time.Timer // nil before the first write
	failed  int         // tries since the last that did not
	working bool
	again   bool // somebody wrote while it worked
	closed  bool
	busy    sync.WaitGroup
}

func newIdler(work func(context.Context) error) *debouncer {
	i := &debouncer{work: work}
	i.ctx, i.end = context.WithCancel(context.Background())
	return i
}

// wrote is told after every commit and puts the work off. The commit of a
// piece counts too, so that piece follows piece until nothing is left to do.
func (i *debouncer) wrote() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.failed = 0
	i.wait(quiet)
}

// tryAgain is told of work that failed. Each time in a row it waits longer.
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

// close breaks off the work in progress, waits a while for it to end, and lets
// no other begin.
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

// tidy does what the hooks have left until now, cleans up after an erasure that
// could not, and forgets requests that have expired. The next Open or Erase does what
// it does not get to.
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
