package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"time"

	"kota/store"
	"kota/store/engine"
)

// A writer commits the writes of all callers over one connection. Callers that arrive during a
// commit queue their writes. The next caller to get the lock runs the queued writes in order, up
// to batchCount, and commits them with one sync. This needs no goroutine. A single caller waits
// no longer than it would without a queue, and many callers share one sync.
type writer struct {
	lock chan struct{} // holds one token while a goroutine uses conn and stmts

	stop     chan struct{} // closed when writes must stop waiting for other processes
	stopping sync.Once

	mu     sync.Mutex
	queue  []*queuedWrite
	closed bool

	db    *DB
	conn  *sql.Conn
	stmts map[string]*sql.Stmt
}

// A queuedWrite is a write in the queue.
type queuedWrite struct {
	ctx       context.Context
	run       func(engine.Tx) error
	unaudited bool // its changes are not passed to hooks
	wrote     bool // run may have changed rows
	err       error
	done      chan struct{}
}

const (
	batchCount = 256                   // maximum number of writes per transaction, so that the first caller does not wait too long
	batchTime  = 20 * time.Millisecond // after this time, no more writes are added to a transaction
)

// Write runs one write in a transaction. It returns after the write was synced to the disk, or
// after it was rolled back. The transaction may contain writes of others; a failing write does
// not affect the others.
//
// If another write of the transaction fails, run may run again, alone. It must therefore be
// repeatable, and reset its results each time. It must not use ctx or wait for anything. If ctx
// ends before run starts, Write returns the error of ctx and does not call run. After run has
// started, ctx has no effect.
func (db *DB) Write(ctx context.Context, run func(engine.Tx) error) error {
	return db.write(&queuedWrite{ctx: ctx, run: run})
}

// WriteUnaudited is Write for data that is not a change by the call in ctx, such as counts,
// approvals and cached mail. No BeforeCommit of an engine.Hook sees it.
func (db *DB) WriteUnaudited(ctx context.Context, run func(engine.Tx) error) error {
	return db.write(&queuedWrite{ctx: ctx, run: run, unaudited: true})
}

func (db *DB) write(p *queuedWrite) error {
	w, ctx := &db.writer, p.ctx
	p.done = make(chan struct{})
	if !w.enqueue(p) {
		return store.ErrClosed
	}
	ended := ctx.Done()
	for {
		select {
		case <-p.done:
			if p.err == nil {
				db.idleWork.delay()
			}
			return Classify(p.err)
		case w.lock <- struct{}{}:
			w.runBatch(ctx)
			<-w.lock
		case <-ended:
			if w.withdraw(p) {
				return ctx.Err()
			}
			ended = nil
		}
	}
}

// Exclusive passes the writing connection to fn outside of any transaction, for statements that
// cannot run in one. Writes wait meanwhile.
func (db *DB) Exclusive(ctx context.Context, fn func(*sql.Conn) error) error {
	w := &db.writer
	select {
	case w.lock <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-w.lock }()
	w.mu.Lock()
	closed := w.closed
	w.mu.Unlock()
	if closed {
		return store.ErrClosed
	}
	return Classify(fn(w.conn))
}

func (w *writer) enqueue(p *queuedWrite) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return false
	}
	w.queue = append(w.queue, p)
	return true
}

// withdraw removes p from the queue, and reports whether it was still there.
func (w *writer) withdraw(p *queuedWrite) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range w.queue {
		if w.queue[i] == p {
			w.queue = append(w.queue[:i], w.queue[i+1:]...)
			return true
		}
	}
	return false
}

// next removes and returns the first write whose context has not ended, or nil if there is none.
// Writes whose context has ended fail.
func (w *writer) next() *queuedWrite {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.queue) > 0 {
		p := w.queue[0]
		w.queue = w.queue[1:]
		if err := p.ctx.Err(); err != nil {
			p.finish(err)
			continue
		}
		return p
	}
	return nil
}

func (w *writer) hasQueued() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.queue) > 0
}

// failFirst fails the first write in the queue. The callers of the other writes then try to get
// the lock.
func (w *writer) failFirst(err error) {
	if p := w.next(); p != nil {
		p.finish(err)
	}
}

func (p *queuedWrite) finish(err error) {
	p.err = err
	close(p.done)
}

// runBatch runs and commits the queued writes. The caller holds the lock. If another process has
// the file locked, runBatch returns without effect when ctx ends.
func (w *writer) runBatch(ctx context.Context) {
	if !w.hasQueued() {
		return
	}
	if err := w.begin(ctx); err != nil {
		if ctx.Err() == nil {
			w.failFirst(err)
		}
		return
	}
	start := time.Now()
	batch := make([]*queuedWrite, 0, 32)
	for p := w.next(); p != nil; p = w.next() {
		err := w.runOne(p)
		switch {
		case err == nil:
			batch = append(batch, p)
		case !p.wrote && w.inTransaction(): // it changed nothing, so the others are unaffected
			p.finish(err)
		case len(batch) == 0:
			w.rollback()
			p.finish(err)
			return
		default:
			w.rollback()
			w.runIndividually(append(batch, p))
			return
		}
		if len(batch) == batchCount || time.Since(start) > batchTime {
			break
		}
	}
	err := w.commit(batch)
	if err != nil && len(batch) > 1 {
		w.runIndividually(batch)
		return
	}
	for _, p := range batch {
		p.finish(err)
	}
}

// runIndividually runs each write in its own transaction, so that a failing write affects no
// other.
func (w *writer) runIndividually(batch []*queuedWrite) {
	for _, p := range batch {
		p.finish(w.runAlone(p))
	}
}

func (w *writer) runAlone(p *queuedWrite) error {
	if err := w.begin(p.ctx); err != nil {
		return err
	}
	if err := w.runOne(p); err != nil {
		w.rollback()
		return err
	}
	return w.commit([]*queuedWrite{p})
}

// runOne runs a write and records whether it may have changed rows. It turns a panic into an
// error: a panic must not end another caller's goroutine, nor keep the lock.
func (w *writer) runOne(p *queuedWrite) (err error) {
	t := &tx{writer: w}
	defer func() {
		if cause := recover(); cause != nil {
			p.wrote, err = true, fmt.Errorf("write panicked: %v", cause)
		}
	}()
	err = p.run(t)
	if err == nil {
		err = t.failed
	}
	p.wrote = t.wrote
	return err
}

// commit commits the transaction of these writes, with the additions of the hooks.
func (w *writer) commit(batch []*queuedWrite) error {
	hooks := w.db.Hooks()
	err := w.beforeCommit(hooks, batch)
	if err != nil {
		w.rollback()
	} else {
		err = w.end()
	}
	for _, h := range hooks {
		if h.AfterCommit != nil {
			h.AfterCommit(err)
		}
	}
	return err
}

func (w *writer) beforeCommit(hooks []engine.Hook, batch []*queuedWrite) error {
	changes := make([]context.Context, 0, len(batch))
	for _, p := range batch {
		if p.wrote && !p.unaudited {
			changes = append(changes, p.ctx)
		}
	}
	for _, h := range hooks {
		if h.BeforeCommit == nil {
			continue
		}
		if err := h.BeforeCommit(&tx{writer: w}, changes); err != nil {
			return err
		}
	}
	return nil
}

// inTransaction reports whether the transaction is still open. SQLite ends it by itself after
// some failures, such as a full disk or an I/O error. Later statements would then commit
// immediately (https://sqlite.org/lang_transaction.html). Within a transaction, BEGIN fails and
// changes nothing. Otherwise BEGIN starts a transaction, which the caller must roll back.
func (w *writer) inTransaction() bool { return w.control("BEGIN") != nil }

func (w *writer) begin(ctx context.Context) error {
	if err := w.db.checkNotReplaced(); err != nil {
		return err
	}
	return retryBusy(ctx, w.stop, func() error { return w.control("BEGIN IMMEDIATE") })
}

// end commits the transaction, or rolls it back if that fails.
func (w *writer) end() error {
	err := retryBusy(context.Background(), w.stop, func() error { return w.control("COMMIT") })
	if err != nil {
		w.rollback()
	}
	return err
}

// rollback ends the transaction. It ignores the error, because SQLite may have ended the
// transaction already after a full disk or an I/O error.
func (w *writer) rollback() { _ = w.control("ROLLBACK") }

func (w *writer) control(query string) error {
	stmt, err := w.stmt(query)
	if err != nil {
		return err
	}
	_, err = stmt.Exec()
	return err
}

// stmt returns the prepared form of query, and keeps it. query must be one of a fixed set, not
// built from data.
func (w *writer) stmt(query string) (*sql.Stmt, error) {
	if stmt := w.stmts[query]; stmt != nil {
		return stmt, nil
	}
	stmt, err := w.conn.PrepareContext(context.Background(), query)
	if err != nil {
		return nil, err
	}
	w.stmts[query] = stmt
	return stmt, nil
}

// stopWaiting ends all waits for other processes.
func (w *writer) stopWaiting() { w.stopping.Do(func() { close(w.stop) }) }

// close finishes the queued writes and refuses new ones. It returns false if the writer was
// already closed, and true otherwise. It returns ErrBusy if a running write does not end.
func (w *writer) close() (bool, error) {
	w.mu.Lock()
	wasClosed := w.closed
	w.closed = true
	w.mu.Unlock()
	if wasClosed {
		return false, nil
	}
	select {
	case w.lock <- struct{}{}:
	case <-time.After(closeTimeout):
		return true, fmt.Errorf("%w: a write is still under way", store.ErrBusy)
	}
	defer func() { <-w.lock }()
	for w.hasQueued() {
		select {
		case <-w.stop:
			w.failFirst(store.ErrClosed)
		default:
			w.runBatch(context.Background())
		}
	}
	for _, stmt := range w.stmts {
		stmt.Close()
	}
	w.conn.Close()
	return true, nil
}
