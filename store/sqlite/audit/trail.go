package audit

import (
	"context"
	"crypto/rand"
	"strings"
	"sync/atomic"
	"time"

	"kota/store"
	"kota/store/sqlite"
)

// A Trail follows one act through the writes that are made in contexts that have
// it. It may be used from any goroutine.
type Trail struct {
	call     string
	act      atomic.Pointer[store.Act]
	approval atomic.Pointer[string]
	log      atomic.Pointer[Log] // that has the intent on disk; nil before
	taken    bool                // into the transaction that is being made; the writer's alone
}

// Begun reports whether the intent is on disk.
func (t *Trail) Begun() bool { return t.log.Load() != nil }

// Became says that another act is done in the place of this one, which has not
// begun.
func (t *Trail) Became(act store.Act) { t.act.Store(&act) }

// Approve notes how the user agreed to the act: "terminal", "client", "approve
// a_k3v9q2m7xw".
func (t *Trail) Approve(how string) { t.approval.Store(&how) }

// End notes how the act ended, when it had begun: with the next transaction, or
// within a tenth of a second, or when the database is closed. code is OK or
// that of an error. Only the first End counts.
func (t *Trail) End(code string) {
	if log := t.log.Load(); log != nil {
		log.note(t.row(store.Outcome, code, log.db.Now()))
	}
}

// row is what the log gets to know of the act.
func (t *Trail) row(phase store.Phase, code string, at time.Time) store.AuditRow {
	act := t.act.Load()
	row := store.AuditRow{
		Owner: act.Owner, At: store.StoredTime(at), Call: t.call, Phase: phase, Tool: act.Tool, Effect: act.Effect, Door: act.Door, Code: code,
	}
	if phase != store.Outcome {
		row.Args = string(act.Args)
	}
	if how := t.approval.Load(); how != nil {
		row.Approval = *how
	}
	return row
}

// NewTrail begins the trail of an act. The first transaction that changes something in
// a context that has the trail holds the intent too: there is no change without it,
// and one that is refused leaves nothing.
func NewTrail(act store.Act) *Trail {
	t := &Trail{call: strings.ToLower(rand.Text()[:16])}
	t.act.Store(&act)
	return t
}

// onTrail is the context of the log's own acts.
type onTrail struct {
	context.Context
	trail *Trail
}

// trailIn returns the trail of the act that a change in ctx is part of; nil when it
// is none's.
func (a *Log) trailIn(ctx context.Context) *Trail {
	if own, ok := ctx.(onTrail); ok {
		return own.trail
	}
	return a.trailOf(ctx)
}

// Intend writes the intent of the act in ctx, unless it is written: before
// something is changed that no transaction holds. Without an act it does
// nothing.
func (a *Log) Intend(ctx context.Context) error {
	t := a.trailIn(ctx)
	if t == nil || t.Begun() {
		return nil
	}
	return a.db.Write(ctx, func(t *sqlite.Tx) error {
		t.SetChanged(true)
		return nil
	})
}

// Refuse notes that an act was not let through, as End does. One that has begun
// has an outcome instead. Of more than 100 in an hour, across restarts, the others
// are counted.
func (a *Log) Refuse(t *Trail, code string) {
	if t.Begun() {
		t.End(code)
		return
	}
	a.refuse(t.row(store.Refused, code, a.db.Now()))
}
