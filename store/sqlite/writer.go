package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"time"

	"kota/store"
)

// A writer commits the writes of all callers over one connection. Callers
// that come while a commit is under way wait together: whoever gets the lock
// runs the writes of all, in the order they came, and commits them with one
// sync. So no goroutine is needed, a caller alone loses no time to others, and
// many callers share the cost of the sync.
type writer struct {
	lock chan struct{} // holds one token while somebody uses conn, stmts and closed

	stop     chan struct{} // closed when nobody may wait for other processes any more
	stopping sync.Once

	mu     sync.Mutex
	queue  []*pending
	closed bool

	db    *DB
	conn  *sql.Conn
	stmts map[string]*sql.Stmt
}

// A pending write waits for its turn, is run and is then done.
type pending struct {
	ctx       context.Context
	run       func(*Tx) error
	unaudited bool // hooks are not told of it
	wrote     bool // run may have changed rows
	err       error
	done      chan struct{}
}

const (
	batchCount = 256                   // writes in one transaction, so that the first does not wait for ever
	batchTime  = 20 * time.Millisecond // after which no more are taken into it
)

// Write runs one write in a transaction and returns after that was synced to
// the disk, or after nothing of it happened. The transaction may hold writes
// of others; one that fails does not disturb them.
//
// run must be repeatable, because it is run again alone when a neighbour has
// failed: it must set its results afresh each time. It must not use ctx or
// wait for anything. A write whose ctx ends before its turn has come is not
// run and returns the ctx's error; later the outcome counts.
func (db *DB) Write(ctx context.Context, run func(*Tx) error) error {
	return db.write(&pending{ctx: ctx, run: run})
}

// WriteUnaudited is Write for what is no change by the call in ctx, such as
// counts, consent and what is known of a mailbox: BeforeCommit of no Hook is told of
// it.
func (db *DB) WriteUnaudited(ctx context.Context, run func(*Tx) error) error {
	return db.write(&pending{ctx: ctx, run: run, unaudited: true})
}

func (db *DB) write(p *pending) error {
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
				db.idle.wrote()
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

// Exclusive gives the caller the connection outside of any transaction, for what
// cannot run in one. Writes wait meanwhile.
func (db *DB) Exclusive(ctx context.Context, act func(*sql.Conn) error) error {
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
	return Classify(act(w.conn))
}

func (w *writer) enqueue(p *pending) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return false
	}
	w.queue = append(w.queue, p)
	return true
}

// withdraw takes p out of the queue and reports whether it was still there.
func (w *writer) withdraw(p *pending) bool {
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

// next takes the first write that still has somebody waiting for it.
func (w *writer) next() *pending {
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

func (w *writer) waiting() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.queue) > 0
}

// failFirst answers the write that waits longest with err. The others try for
// themselves.
func (w *writer) failFirst(err error) {
	if p := w.next(); p != nil {
		p.finish(err)
	}
}

func (p *pending) finish(err error) {
	p.err = err
	close(p.done)
}

// runBatch runs and commits the writes that wait. The caller has the lock, and
// gives it back unused when its ctx ends while another process has the file.
func (w *writer) runBatch(ctx context.Context) {
	if !w.waiting() {
		return
	}
	if err := w.begin(ctx); err != nil {
		if ctx.Err() == nil {
			w.failFirst(err)
		}
		return
	}
	start := time.Now()
	batch := make([]*pending, 0, 32)
	for p := w.next(); p != nil; p = w.next() {
		err := w.runOne(p)
		switch {
		case err == nil:
			batch = append(batch, p)
		case !p.wrote && w.inTransaction(): // it changed nothing: the others need not know
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

// runIndividually gives each write a transaction of its own, so that the one that fails
// takes nobody with it.
func (w *writer) runIndividually(batch []*pending) {
	for _, p := range batch {
		p.finish(w.single(p))
	}
}

func (w *writer) single(p *pending) error {
	if err := w.begin(p.ctx); err != nil {
		return err
	}
	if err := w.runOne(p); err != nil {
		w.rollback()
		return err
	}
	return w.commit([]*pending{p})
}

// runOne runs a write and notes whether it may have changed rows. A panic in
// it becomes its error: it must not end in the goroutine of another caller,
// nor keep the lock.
func (w *writer) runOne(p *pending) (err error) {
	t := &Tx{writer: w}
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

// commit commits the transaction of these writes with what the hooks add to it.
func (w *writer) commit(batch []*pending) error {
	hooks := w.db.hooks()
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

func (w *writer) beforeCommit(hooks []Hook, batch []*pending) error {
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
		if err := h.BeforeCommit(&Tx{writer: w}, changes); err != nil {
			return err
		}
	}
	return nil
}

// inTransaction reports whether the transaction still goes on. SQLite ends it
// by itself after some failures, such as a full disk or an I/O error, and what
// is run then is committed at once (https://sqlite.org/lang_transaction.html).
// A second BEGIN is refused within a transaction and changes nothing there;
// outside it begins one, which the caller rolls back.
func (w *writer) inTransaction() bool { return w.control("BEGIN") != nil }

func (w *writer) begin(ctx context.Context) error {
	if err := w.db.inPlace(); err != nil {
		return err
	}
	return whileBusy(ctx, w.stop, func() error { return w.control("BEGIN IMMEDIATE") })
}

// end commits the transaction, or ends it otherwise.
func (w *writer) end() error {
	err := whileBusy(context.Background(), w.stop, func() error { return w.control("COMMIT") })
	if err != nil {
		w.rollback()
	}
	return err
}

// rollback ends the transaction. After a full disk or an I/O error SQLite may
// have ended it already, so that its error says nothing.
func (w *writer) rollback() { _ = w.control("ROLLBACK") }

func (w *writer) control(query string) error {
	stmt, err := w.stmt(query)
	if err != nil {
		return err
	}
	_, err = stmt.Exec()
	return err
}

// stmt returns the prepared form of query, which it keeps. So query must be
// one of a fixed set, not built from data.
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

// giveUp ends all waiting for other processes.
func (w *writer) giveUp() { w.stopping.Do(func() { close(w.stop) }) }

// close lets the writes that wait finish and refuses new ones. It reports
// false when the writer was closed before, and ErrBusy when a write does not
// end.
func (w *writer) close() (bool, error) {
	w.mu.Lock()
	before := w.closed
	w.closed = true
	w.mu.Unlock()
	if before {
		return false, nil
	}
	select {
	case w.lock <- struct{}{}:
	case <-time.After(closePatience):
		return true, fmt.Errorf("%w: a write is still under way", store.ErrBusy)
	}
	defer func() { <-w.lock }()
	for w.waiting() {
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
