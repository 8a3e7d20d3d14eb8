// Package audit stores the audit log. The intent of a call is in the transaction of its
// first change, so no change is made without an intent. Hashes chain the rows. In SQLite, the people
// of a file share one log, and a file beside the database names the last row. In PostgreSQL, each
// person has a log. Start at New and NewTrail.
package audit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"kota/store"
	"kota/store/engine"
)

// A Log is the audit log. The intent of a call is in the transaction of the call's first change.
type Log struct {
	db      engine.DB
	person  any            // whose log it is; only used in PostgreSQL
	file    checkpointFile // nil if the database has none
	trailOf func(context.Context) *Trail

	mu              sync.Mutex
	queue           []store.AuditRow // for the next transaction
	doubt           *doubt           // rows that may be in the log; nil if there are none
	timer           *time.Timer      // runs the flush; nil if none is scheduled
	closed          bool
	lastCommitted   store.AuditCheckpoint // the last committed row
	savedCheckpoint store.AuditCheckpoint // the last row in the checkpoint file
	refused         refusals

	// The current transaction; used only by the writer.
	dequeued  []store.AuditRow // queued rows that are in it
	rows      []store.AuditRow // all rows that are in it
	intents   []*Trail         // trails whose intents are in it
	lastAdded store.AuditRow   // the last row in it
	added     bool             // whether it has rows

	// The log; used only by the writer.
	lossRecorded bool           // the missing checkpoint file is recorded
	last         store.AuditRow // the last row in the log
	lastKnown    bool           // last is set; another process may have added rows since
}

// New returns the audit log of db. After New, the log records every change whose context contains
// a trail. trailOf returns the trail of a context, or nil if there is none. All calls for one db
// must pass the same trailOf.
func New(db engine.DB, trailOf func(context.Context) *Trail) *Log {
	return engine.Extension(db, func() (*Log, engine.Hook) {
		a := &Log{db: db, person: db.Owner(""), trailOf: trailOf}
		a.file, _ = db.(checkpointFile)
		return a, engine.Hook{BeforeCommit: a.beforeCommit, AfterCommit: a.afterCommit, Close: a.close}
	})
}

const (
	flushDelay = 100 * time.Millisecond // the maximum time from an outcome to its commit
	maxQueue   = 4096                   // maximum number of queued rows; further rows are dropped while the disk cannot be written
)

// enqueue queues a row for the next transaction. If there is none within flushDelay, the flush
// writes the row.
func (a *Log) enqueue(row store.AuditRow) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.queue) >= maxQueue {
		a.db.Log().Warn("the audit log cannot be written, and a row is missing", "tool", row.Tool, "phase", row.Phase)
		return
	}
	a.queue = append(a.queue, row)
	a.scheduleFlush()
}

// scheduleFlush schedules a flush. The caller holds a.mu.
func (a *Log) scheduleFlush() {
	if a.timer == nil && !a.closed {
		a.timer = time.AfterFunc(flushDelay, a.runFlush)
	}
}

func (a *Log) runFlush() {
	a.mu.Lock()
	a.timer = nil
	a.mu.Unlock()
	err := a.db.RunRecovered("write the audit log", func() error { return a.flush(a.db.Background()) })
	if err != nil {
		a.db.Log().Debug("write the audit log", "err", err)
	}
}

// flush writes the queued rows, and the checkpoint.
func (a *Log) flush(ctx context.Context) error {
	a.mu.Lock()
	queued := len(a.queue) > 0 || a.doubt != nil
	a.mu.Unlock()
	err := error(nil)
	if queued {
		err = a.db.WriteUnaudited(ctx, func(engine.Tx) error { return nil })
	}
	return errors.Join(err, a.saveCheckpoint(ctx))
}

// close writes the queued rows and the checkpoint. It stops when ctx ends.
func (a *Log) close(ctx context.Context) {
	a.mu.Lock()
	a.queueRefusalCounts(a.db.Now())
	a.closed = true
	if a.timer != nil {
		a.timer.Stop()
	}
	a.mu.Unlock()
	if err := a.flush(ctx); err != nil {
		a.db.Log().Debug("write the audit log", "err", err)
	}
}

// takeQueue removes and returns the queued rows.
func (a *Log) takeQueue() []store.AuditRow {
	a.mu.Lock()
	defer a.mu.Unlock()
	rows := a.queue
	a.queue = nil
	return rows
}

// requeue adds rows to the queue again, because their transaction was not committed.
func (a *Log) requeue(rows []store.AuditRow) {
	if len(rows) == 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.queue = append(rows, a.queue...)
	a.scheduleFlush()
}

// beforeCommit adds rows to a transaction: the queued ones, and the intents of calls that changed
// something.
func (a *Log) beforeCommit(t engine.Tx, changes []context.Context) error {
	a.dequeued, a.rows, a.intents, a.added = nil, nil, a.intents[:0], false
	if err := a.settleDoubt(t); err != nil {
		return err
	}
	a.dequeued = a.takeQueue()
	a.rows = a.dequeued
	for _, ctx := range changes {
		trail := a.trailFrom(ctx)
		if trail == nil || trail.inTransaction || trail.HasIntent() {
			continue
		}
		trail.inTransaction = true
		a.intents = append(a.intents, trail)
		if trail.doubtful.Load() == nil { // otherwise the intent is in the log or was queued
			a.rows = append(a.rows, trail.row(store.PhaseIntent, "", t.Now()))
		}
	}
	a.added = len(a.rows) > 0
	last, err := a.add(t, a.rows)
	a.lastAdded = last
	return err
}

// afterCommit marks the trails whose intents the commit has written. After a failed commit it
// queues the dequeued rows again.
func (a *Log) afterCommit(err error) {
	unknown := errors.Is(err, store.ErrOutcomeUnknown)
	for _, t := range a.intents {
		t.inTransaction = false
		switch {
		case err == nil:
			t.log.Store(a)
		case unknown:
			t.doubtful.Store(a)
		}
	}
	switch {
	case unknown && a.added:
		a.lastKnown, a.lossRecorded = false, false
		a.setDoubt(&doubt{a.rows, a.lastAdded})
	case err != nil:
		a.lastKnown, a.lossRecorded = false, false
		a.requeue(a.dequeued)
	case a.added:
		a.recordLast(a.lastAdded)
	}
	a.dequeued, a.rows = nil, nil
}

// recordLast records the last row of the log.
func (a *Log) recordLast(last store.AuditRow) {
	a.last, a.lastKnown = last, true
	if a.file == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.lastCommitted = store.AuditCheckpoint{Seq: last.Seq, Hash: last.Hash}
	a.scheduleFlush()
}

// add adds rows to the log and returns the last of them. They follow the rows that other
// processes have added.
func (a *Log) add(t engine.Tx, rows []store.AuditRow) (store.AuditRow, error) {
	if len(rows) == 0 {
		return a.last, nil
	}
	if head, ok := t.(headTx); ok {
		return a.addAfterHead(head, rows)
	}
	for tries := 0; tries < 2; tries++ {
		last, err := a.lastRow(t)
		if err != nil {
			return store.AuditRow{}, err
		}
		lossRows, err := a.ensureCheckpoint(last, rows[0].Owner)
		if err != nil {
			return store.AuditRow{}, err
		}
		all := append(lossRows, rows...)
		chain(last, all)
		added, err := a.insert(t, all)
		if err != nil || added {
			a.lossRecorded = a.lossRecorded || err == nil && len(lossRows) > 0
			return all[len(all)-1], err
		}
		a.lastKnown = false
	}
	return store.AuditRow{}, fmt.Errorf("%w: the audit log does not end at the recorded row", store.ErrCorrupt)
}

// lastRow returns the last row of the log, or the zero row if it is empty.
func (a *Log) lastRow(t engine.Tx) (store.AuditRow, error) {
	if a.lastKnown {
		return a.last, nil
	}
	last := store.AuditRow{}
	hash := []byte(nil)
	if err := t.Row("SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1").Scan(&last.Seq, &hash); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return store.AuditRow{}, err
	}
	copy(last.Hash[:], hash)
	return last, nil
}

// chain numbers rows and sets their hashes.
func chain(last store.AuditRow, rows []store.AuditRow) {
	for i := range rows {
		rows[i].Seq, rows[i].Prev = last.Seq+1, last.Hash
		rows[i].Hash = rows[i].Sum()
		last = rows[i]
	}
}

// insert adds all rows and returns true. If a row with the first number or a later one exists, it
// adds nothing and returns false.
func (a *Log) insert(t engine.Tx, rows []store.AuditRow) (bool, error) {
	for len(rows) > 0 {
		n := insertSize(rows)
		args := make([]any, 0, 13*n+1)
		for _, r := range rows[:n] {
			args = append(args, auditFields(&r)...)
		}
		added, err := t.Change(insertRows[n], append(args, rows[0].Seq)...)
		if err != nil || added == 0 {
			return false, err
		}
		rows = rows[n:]
	}
	return true, nil
}
