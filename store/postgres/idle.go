package postgres

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

const (
	idleDelay   = 2 * time.Second        // after a write, so that work is for several of them
	idleAgain   = 100 * time.Millisecond // after a write of the work itself, and after the first failure
	idlePause   = time.Minute            // the maximum time between two attempts of failing work
	idleClosing = 2 * time.Second        // how long Close waits for work that runs
)

// An idleWorker runs the OnIdle hooks of people whose rows were written, one person after the other.
// It has a goroutine only while there is work.
type idleWorker struct {
	mu      sync.Mutex
	due     map[*DB]*idleTask
	until   time.Time // when the first task is due, as far as the goroutine knows
	running bool
	closed  bool
	wake    chan struct{}
	ended   sync.WaitGroup
}

// An idleTask is the work of one person.
type idleTask struct {
	at     time.Time
	failed int // attempts since the last write
}

func newIdleWorker() *idleWorker {
	return &idleWorker{due: map[*DB]*idleTask{}, wake: make(chan struct{}, 1)}
}

// delay plans the work of a person, unless it is planned for an earlier time. Call it after each
// write, also after one by the work itself, so that the work runs again until nothing is left.
func (w *idleWorker) delay(db *DB, by time.Duration) {
	w.plan(db, &idleTask{at: time.Now().Add(by)})
}

func (w *idleWorker) plan(db *DB, task *idleTask) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if planned := w.due[db]; w.closed || planned != nil && !task.at.Before(planned.at) {
		return
	}
	w.due[db] = task
	if !w.running {
		w.running = true
		w.ended.Go(func() { w.run(db.running) })
		return
	}
	if !task.at.Before(w.until) {
		return // the goroutine finds it when it looks next
	}
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// next returns the person whose work is due first, and when. Without work it ends the goroutine.
func (w *idleWorker) next() (first *DB, task *idleTask) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for db, t := range w.due {
		if task == nil || t.at.Before(task.at) {
			first, task = db, t
		}
	}
	if w.running = task != nil; w.running {
		w.until = task.at
	}
	return first, task
}

// take removes a task if it was not planned again meanwhile.
func (w *idleWorker) take(db *DB, task *idleTask) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.due[db] != task {
		return false
	}
	delete(w.due, db)
	return true
}

func (w *idleWorker) run(ctx context.Context) {
	for {
		db, task := w.next()
		if db == nil {
			return
		}
		select {
		case <-ctx.Done():
			w.close()
			return
		case <-w.wake:
			continue
		case <-time.After(time.Until(task.at)):
		}
		if !w.take(db, task) {
			continue
		}
		for until := time.Now().Add(5 * idleAgain); slices.ContainsFunc(db.writes.lanes, func(l *lane) bool { return l.queued() > 0 }) && time.Now().Before(until); {
			time.Sleep(idleAgain / 10) // queued writes go first
		}
		if err := db.runIdleWork(ctx); err != nil && ctx.Err() == nil {
			db.log.Debug("work in the background", "err", err)
			pause := min(idleAgain<<min(task.failed, 20), idlePause)
			w.retry(db, &idleTask{at: time.Now().Add(pause), failed: task.failed + 1})
		}
	}
}

// retry plans work that failed, unless a write has planned it meanwhile.
func (w *idleWorker) retry(db *DB, task *idleTask) {
	w.mu.Lock()
	planned := w.due[db] != nil
	w.mu.Unlock()
	if !planned {
		w.plan(db, task)
	}
}

// close drops all work and prevents more.
func (w *idleWorker) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed, w.running = true, false
	clear(w.due)
}

// wait waits for work that runs, but not long.
func (w *idleWorker) wait() {
	ended := make(chan struct{})
	go func() {
		w.ended.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(idleClosing):
	}
}

// backgroundKey marks the contexts of work in the background.
type backgroundKey struct{}

func isBackground(ctx context.Context) bool { return ctx.Value(backgroundKey{}) != nil }

// runIdleWork runs the OnIdle hooks of a person.
func (db *DB) runIdleWork(ctx context.Context) error {
	ctx = context.WithValue(ctx, backgroundKey{}, true)
	err := error(nil)
	for _, h := range db.Hooks() {
		if h.OnIdle != nil {
			err = errors.Join(err, db.RunRecovered("work in the background", func() error { return h.OnIdle(ctx) }))
		}
	}
	return err
}

// closeHooks lets the hooks of all people write what they keep in memory, such as outcomes of calls.
func (s *Server) closeHooks() {
	ctx, cancel := context.WithTimeout(context.Background(), idleClosing)
	defer cancel()
	s.mu.Lock()
	all := []*DB{}
	for db := range s.handles {
		all = append(all, db)
	}
	s.mu.Unlock()
	running := sync.WaitGroup{} // all at once, so that the lanes commit them in groups
	for _, db := range all {
		running.Go(func() { db.closeOwnHooks(ctx) })
	}
	running.Wait()
	if ctx.Err() != nil {
		s.log.Warn("the database did not take all counts and outcomes of calls before the end", "handles", len(all))
	}
}

// closeOwnHooks lets the hooks of one person write what they keep in memory.
func (db *DB) closeOwnHooks(ctx context.Context) {
	for _, h := range db.Hooks() {
		if h.Close != nil {
			h.Close(ctx)
		}
	}
}
