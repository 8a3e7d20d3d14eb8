package audit

import (
	"cmp"
	"context"
	"crypto/rand"
	"strings"
	"sync/atomic"
	"time"

	"kota/store"
	"kota/store/engine"
)

// A Trail connects the writes of one call. The contexts of these writes contain the trail. A
// Trail is safe for concurrent use.
type Trail struct {
	call          string
	entry         atomic.Pointer[store.AuditEntry]
	approval      atomic.Pointer[string]
	log           atomic.Pointer[Log] // the log, once it has the intent on disk; nil before
	doubtful      atomic.Pointer[Log] // the log, if it is unknown whether it has the intent on disk: see doubt
	inTransaction bool                // the intent is in the current transaction; used only by the writer
}

// HasIntent reports whether the intent is on disk.
func (t *Trail) HasIntent() bool { return t.log.Load() != nil }

// Replace replaces the entry. The intent must not be on disk yet.
func (t *Trail) Replace(entry store.AuditEntry) { t.entry.Store(&entry) }

// Approve records how the user approved the call: "terminal", "client", "approve a_k3v9q2m7xw".
func (t *Trail) Approve(how string) { t.approval.Store(&how) }

// End records the outcome of a call whose intent is on disk or may be, and otherwise does nothing.
// The row is written with the next transaction, after 100 ms at the latest, or when the database is
// closed. code is OK or the code of an error. Call End once.
func (t *Trail) End(code string) {
	if log := cmp.Or(t.log.Load(), t.doubtful.Load()); log != nil {
		log.enqueue(t.row(store.PhaseOutcome, code, log.db.Now()))
	}
}

// row returns the row of the log for a phase of the call.
func (t *Trail) row(phase store.Phase, code string, at time.Time) store.AuditRow {
	entry := t.entry.Load()
	row := store.AuditRow{
		Owner: entry.Owner, At: store.StoredTime(at), Call: t.call, Phase: phase, Tool: entry.Tool, Effect: entry.Effect, Channel: entry.Channel, Code: code,
	}
	if phase != store.PhaseOutcome {
		row.Args = string(entry.Args)
	}
	if how := t.approval.Load(); how != nil {
		row.Approval = *how
	}
	return row
}

// NewTrail starts the trail of a call. The first transaction that changes something in a context
// with the trail also contains the intent. No change in such a context is committed without the
// intent. A call without a change leaves no intent. Changes by WriteUnaudited do not count.
func NewTrail(entry store.AuditEntry) *Trail {
	t := &Trail{call: strings.ToLower(rand.Text()[:16])}
	t.entry.Store(&entry)
	return t
}

// A trailContext is the context for changes of the log itself, such as Prune. It contains their
// trail.
type trailContext struct {
	context.Context
	trail *Trail
}

// trailFrom returns the trail in ctx, or nil if there is none.
func (a *Log) trailFrom(ctx context.Context) *Trail {
	if tc, ok := ctx.(trailContext); ok {
		return tc.trail
	}
	return a.trailOf(ctx)
}

// WriteIntent writes the intent of the trail in ctx, unless the intent is on disk. Call it before
// a change outside of the database. It does nothing without a trail.
func (a *Log) WriteIntent(ctx context.Context) error {
	t := a.trailFrom(ctx)
	if t == nil || t.HasIntent() {
		return nil
	}
	return a.db.Write(ctx, func(t engine.Tx) error {
		t.SetChanged(true)
		return nil
	})
}

// Refuse records that a call was refused. The row is written when End would write one. If the
// intent is on disk, Refuse records an outcome instead. More than 100 refused calls per hour are
// only counted, see maxRefusedRows.
func (a *Log) Refuse(t *Trail, code string) {
	if t.HasIntent() {
		t.End(code)
		return
	}
	a.refuse(t.row(store.PhaseRefused, code, a.db.Now()))
}
