package postgres

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"kota/store"
	"kota/store/engine"
	"kota/store/postgres/failure"
)

// A writer commits the writes of all tenants. It has a few lanes, and each tenant belongs to one
// of them. A lane commits the writes that wait as one transaction, a group: one commit costs more
// than the statements of a write. Background work has a lane of its own, because its writes read a
// lot, and others in the group would wait for them.
type writer struct {
	writerOptions
	lanes      []*lane
	background *lane
}

// writerOptions are what a writer needs of its database.
type writerOptions struct {
	Connect func(context.Context) (*pgx.Conn, error) // returns a connection that only the caller uses
	Lanes   int
	Now     func() time.Time // replaces the clock of the database server, for tests; nil otherwise
	Log     *slog.Logger
	Ahead   *atomic.Int64 // set to how far the clock of this process is ahead of the server's; may be nil

	ReachTime  time.Duration // how long a write waits for a server that cannot be reached, such as during a failover
	SettleTime time.Duration // how long to ask for the outcome of a commit
}

// A writeTenant is a handle of one tenant. There may be several.
type writeTenant interface {
	number() int64
	Hooks() []engine.Hook
}

func newWriter(options writerOptions) *writer {
	w := &writer{writerOptions: options}
	w.ReachTime = cmp.Or(w.ReachTime, reachTime)
	w.SettleTime = cmp.Or(w.SettleTime, settleTime)
	for range max(1, options.Lanes) {
		w.lanes = append(w.lanes, w.newLane())
	}
	w.background = w.newLane()
	return w
}

func (w *writer) newLane() *lane {
	l := &lane{writer: w, wake: make(chan struct{}, 1), ended: make(chan struct{}), committed: map[int64]time.Time{}, pruned: time.Now()}
	l.stopping, l.stop = context.WithCancel(context.Background())
	go l.run()
	return l
}

func (w *writer) allLanes() []*lane { return append(slices.Clone(w.lanes), w.background) }

// write runs one write in a transaction, with the contract of engine.DB.Write.
func (w *writer) write(ctx context.Context, tenant writeTenant, run func(engine.Tx) error, unaudited bool) error {
	l := w.lanes[uint64(tenant.number())%uint64(len(w.lanes))]
	if isBackground(ctx) {
		l = w.background
	}
	q := &queuedWrite{ctx: ctx, tenant: tenant, run: run, unaudited: unaudited, done: make(chan struct{})}
	if !l.enqueue(q) {
		return store.ErrClosed
	}
	select {
	case <-q.done:
		return q.err
	case <-ctx.Done():
	}
	if l.withdraw(q) {
		return ctx.Err()
	}
	// The write runs, or ran and waits to run again: connect drops it then. Each trip to the server
	// ends within tripTimeout, and a write has some trips in each of at most maxTries groups.
	<-q.done
	return q.err
}

// close commits the writes that wait and refuses new ones. It returns ErrBusy if they take longer
// than closeTimeout; writes that still wait then fail.
func (w *writer) close() error {
	for _, l := range w.allLanes() {
		l.refuse()
	}
	timeout := time.After(closeTimeout)
	for _, l := range w.allLanes() {
		select {
		case <-l.ended:
		case <-timeout:
			for _, l := range w.allLanes() {
				l.stop()
			}
			return store.ErrBusy
		}
	}
	return nil
}

// A lane runs the writes of its tenants over one connection, in groups.
type lane struct {
	*writer
	wake     chan struct{} // has a token after the queue has changed
	ended    chan struct{} // closed when the lane has ended
	stopping context.Context
	stop     context.CancelFunc

	mu     sync.Mutex
	queue  []*queuedWrite
	closed bool

	// Used only by the goroutine of the lane.
	conn      *pgx.Conn
	committed map[int64]time.Time // tenant → when a row of commits was last added under it
	pruned    time.Time           // when old rows of commits were last removed
	prunedTo  int64               // the last tenant whose rows were removed
}

// A queuedWrite is a write in the queue of a lane, or in a group.
type queuedWrite struct {
	ctx       context.Context
	tenant    writeTenant
	run       func(engine.Tx) error
	unaudited bool // its changes are not passed to hooks
	alone     bool // it must be the only write of its group
	tries     int  // how many of its groups lost their connection
	disturbed int  // how many of its groups failed because of another write
	err       error
	done      chan struct{}
}

// hasOtherHandle reports whether the writes are of the same tenant through different handles.
func (q *queuedWrite) hasOtherHandle(other *queuedWrite) bool {
	return q.tenant != other.tenant && q.tenant.number() == other.tenant.number()
}

func (q *queuedWrite) finish(err error) {
	q.err = failure.Classify(err)
	close(q.done)
}

const (
	groupCount   = 64                    // maximum number of writes in a group, so that the first does not wait too long
	groupTime    = 20 * time.Millisecond // a group that is older starts no further writes
	closeTimeout = 5 * time.Second       // the time for the last writes
	maxTries     = 3                     // a write fails when its connection was lost so many times
)

func (l *lane) enqueue(q *queuedWrite) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	l.queue = append(l.queue, q)
	l.signal()
	return true
}

// requeue puts writes at the front of the queue, so that they run again before the others.
func (l *lane) requeue(writes []*queuedWrite) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue = append(writes, l.queue...)
	l.signal()
}

func (l *lane) signal() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// withdraw removes q from the queue, and reports whether it was still there.
func (l *lane) withdraw(q *queuedWrite) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.queue {
		if l.queue[i] == q {
			l.queue = append(l.queue[:i], l.queue[i+1:]...)
			return true
		}
	}
	return false
}

// dropEnded fails the queued writes whose contexts have ended. Their callers may wait for the result,
// because these writes have already run once.
func (l *lane) dropEnded() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue = slices.DeleteFunc(l.queue, func(q *queuedWrite) bool {
		err := q.ctx.Err()
		if err != nil {
			q.finish(err)
		}
		return err != nil
	})
}

// take removes and returns the writes of the next group. A write whose context has ended fails. The
// group has only one handle of each tenant, because the hooks of a handle see only its own changes.
func (l *lane) take() []*queuedWrite {
	l.mu.Lock()
	defer l.mu.Unlock()
	group, left := []*queuedWrite(nil), []*queuedWrite(nil)
	full := false
	for _, q := range l.queue {
		full = full || len(group) == groupCount
		switch {
		case full:
			left = append(left, q)
		case q.ctx.Err() != nil:
			q.finish(q.ctx.Err())
		case len(group) > 0 && (q.alone || group[0].alone):
			full = true
			left = append(left, q)
		case slices.ContainsFunc(group, q.hasOtherHandle):
			left = append(left, q)
		default:
			group = append(group, q)
		}
	}
	l.queue = left
	return group
}

func (l *lane) queued() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.queue)
}

// refuse lets the lane end when its queue is empty.
func (l *lane) refuse() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.signal()
}

// hasEnded reports whether the lane has no work left and gets none.
func (l *lane) hasEnded() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closed && len(l.queue) == 0
}
