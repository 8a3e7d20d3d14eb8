package postgres

import (
	"context"
	"errors"
	"maps"
	"runtime"
	"slices"
	"time"

	"kota/store"
	"kota/store/postgres/failure"
)

const (
	firstPause = 20 * time.Millisecond // after a connection failed
	lastPause  = time.Second
	reachTime  = 5 * time.Second // how long a write waits for a server that cannot be reached, such as during a failover
)

// run is the goroutine of the lane. It runs groups until the lane is closed and empty.
func (l *lane) run() {
	done := false
	defer func() {
		if !done { // a write has ended its goroutine with runtime.Goexit, which is this one
			go l.run()
		}
	}()
	for !l.hasEnded() {
		if l.stopping.Err() != nil {
			l.failQueued(store.ErrClosed)
			continue
		}
		if l.queued() == 0 {
			<-l.wake
			continue
		}
		if err := l.connect(); err != nil {
			l.failQueued(err)
			continue
		}
		if writes := l.take(); len(writes) > 0 {
			newGroup(l, writes).run()
			runtime.Gosched() // the callers of these writes may have more, which then are in the next group
		}
		l.prune()
	}
	done = true
	l.disconnect()
	close(l.ended)
}

// connect connects the lane, unless it is connected. It tries until ReachTime has passed or no
// write waits any more. Meanwhile a write leaves the queue when its context ends.
func (l *lane) connect() error {
	if l.conn != nil && !l.conn.IsClosed() {
		return nil
	}
	deadline := time.Now().Add(l.ReachTime)
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		conn, err := l.Connect(l.stopping)
		if err == nil {
			l.conn = conn
			return nil
		}
		l.dropEnded()
		if !errors.Is(failure.Classify(err), store.ErrUnreachable) || time.Now().Add(pause).After(deadline) || l.queued() == 0 {
			return err
		}
		select {
		case <-time.After(pause):
		case <-l.stopping.Done():
			return store.ErrClosed
		}
	}
}

// disconnect ends the connection. The server then rolls back what was not committed.
func (l *lane) disconnect() {
	if l.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	l.conn.Close(ctx)
	l.conn = nil
}

// failQueued fails all writes that wait.
func (l *lane) failQueued(err error) {
	for writes := l.take(); len(writes) > 0; writes = l.take() {
		for _, q := range writes {
			q.finish(err)
		}
	}
}

// prune removes the rows of commits that no question can be about any more, under the tenants for
// which this lane has added some. A failure only leaves rows for the next time.
func (l *lane) prune() {
	if len(l.committed) == 0 || time.Since(l.pruned) < pruneEvery || l.conn == nil {
		return
	}
	l.pruned = time.Now()
	tenants := l.nextPruned()
	t := trip{}
	t.control("BEGIN")
	for _, tenant := range tenants {
		for _, text := range pruned {
			t.add(tenant, &statement{text: text, args: []any{tenant, commitsKept.Milliseconds()}})
		}
	}
	t.control("COMMIT")
	if err := t.send(l.conn); err != nil {
		l.Log.Debug("remove old rows of commits", "err", failure.Classify(err))
		l.disconnect()
		return
	}
	for _, tenant := range tenants {
		if time.Since(l.committed[tenant]) > commitsKept {
			delete(l.committed, tenant)
		}
	}
}

// nextPruned returns the tenants whose turn it is, in the order of their numbers: the lanes of two
// replicas then never wait for each other.
func (l *lane) nextPruned() []int64 {
	all := slices.Sorted(maps.Keys(l.committed))
	from, _ := slices.BinarySearch(all, l.prunedTo+1)
	if from == len(all) {
		from = 0
	}
	turn := all[from:min(from+pruneCount, len(all))]
	l.prunedTo = turn[len(turn)-1]
	return turn
}

const (
	pruneEvery  = 10 * time.Second
	pruneCount  = 64               // maximum number of tenants at a time
	commitsKept = 10 * time.Minute // longer than any commit can be under way
)

// pruned are the statements that remove the old rows of a tenant: those of commits, and the messages
// that have arrived long ago.
var pruned = []string{
	"DELETE FROM commits WHERE owner = $1 AND at < (extract(epoch FROM clock_timestamp()) * 1000)::bigint - $2",
	"DELETE FROM session_messages WHERE owner = $1 AND at < (extract(epoch FROM clock_timestamp()) * 1000)::bigint - $2",
}
