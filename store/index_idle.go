package store

import (
	"context"
	"sync"
	"time"
)

// quiet is how long nobody may write before rows are indexed in the
// background: a burst of writes has the disk to itself.
const quiet = 100 * time.Millisecond

// An idler indexes what was written when nobody writes any more, one batch at
// a time. It needs no goroutine while there is nothing to do. What it does not
// get to is indexed by the next search, in this process or another.
type idler struct {
	mu     sync.Mutex
	timer  *time.Timer // nil before the first write
	closed bool
	busy   sync.WaitGroup
}

// wrote is told after every commit and puts the indexing off. The commit of a
// batch counts too, so that batch follows batch until nothing is stale.
func (i *idler) wrote(index func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case i.closed:
	case i.timer == nil:
		i.timer = time.AfterFunc(quiet, func() { i.run(index) })
	default:
		i.timer.Reset(quiet)
	}
}

func (i *idler) run(index func()) {
	i.mu.Lock()
	if i.closed {
		i.mu.Unlock()
		return
	}
	i.busy.Add(1)
	i.mu.Unlock()
	defer i.busy.Done()
	index()
}

// close waits for the batch in progress and lets no other begin.
func (i *idler) close() {
	i.mu.Lock()
	i.closed = true
	if i.timer != nil {
		i.timer.Stop()
	}
	i.mu.Unlock()
	i.busy.Wait()
}

// indexSome indexes one batch. A failure is left to the next search, which
// says what it could not look at.
func (db *DB) indexSome() {
	_, err := db.drain(context.Background(), memoryIndex, smallBatch, smallBatch)
	if err != nil {
		db.log.Debug("index in the background", "err", err)
	}
}
