package postgres

import (
	"context"
	"time"

	"kota/store"
	"kota/store/engine"
)

// A part is what belongs to one tenant in a group.
type part struct {
	group  *group
	number int64 // of the tenant
	hooks  []engine.Hook

	writes    []*queuedWrite // all
	waiting   []*queuedWrite // not yet started
	survivors []*queuedWrite // to be committed
	dropped   []failedWrite  // failed without having sent a change, so the others are unaffected
	changes   []context.Context
	changed   bool // a survivor may have changed rows

	running  *coroutine       // the current write or the hooks; nil between writes
	hooksTx  *Tx              // of the hooks
	notified bool             // the hooks know the result of the commit
	wanted   *statement       // what the coroutine waits for
	queued   []*statement     // not yet sent
	audit    []store.AuditRow // to be added to the log
	head     head
	dirty    bool // the head differs from the stored one
}

type failedWrite struct {
	write *queuedWrite
	err   error
}

// A partError fails all writes of one part.
type partError struct {
	part *part
	err  error
}

func (e *partError) Error() string { return e.err.Error() }
func (e *partError) Unwrap() error { return e.err }

// A writeError is the error of a write whose statements the transaction already has.
type writeError failedWrite

func (e *writeError) Error() string { return e.err.Error() }
func (e *writeError) Unwrap() error { return e.err }

// runWrites runs the writes until one waits for the server.
func (p *part) runWrites() (waits bool, err error) {
	for {
		if p.running == nil && !p.startNext() {
			return false, nil
		}
		if p.running.proceed() {
			return true, nil
		}
		if err := p.endWrite(); err != nil {
			return false, err
		}
	}
}

// startNext starts the next write. In a group that is too old, it returns the writes to the queue.
func (p *part) startNext() bool {
	if len(p.waiting) == 0 {
		return false
	}
	if len(p.survivors) > 0 && time.Since(p.group.started) > groupTime {
		p.group.lane.requeue(p.waiting)
		p.writes, p.waiting = p.writes[:len(p.writes)-len(p.waiting)], nil
		return false
	}
	q := p.waiting[0]
	p.waiting = p.waiting[1:]
	tx := &Tx{part: p, write: q, before: savepoint{len(p.queued), p.head, p.dirty, p.group.begun}}
	p.running = newCoroutine(tx, q.run)
	return true
}

// endWrite decides what becomes of a write that has ended. If it failed and none of its changes was
// sent, its statements are forgotten. Otherwise the transaction has to be rolled back.
func (p *part) endWrite() error {
	tx, err := p.running.tx, p.running.err
	p.running = nil
	switch {
	case err == nil:
		p.survivors = append(p.survivors, tx.write)
		p.changed = p.changed || tx.wrote
		if tx.changed && !tx.write.unaudited {
			p.changes = append(p.changes, tx.write.ctx)
		}
	case tx.sent:
		return &writeError{tx.write, err}
	default:
		p.dropped = append(p.dropped, failedWrite{tx.write, err})
		p.queued = p.queued[:tx.before.queued]
		if tx.before.known {
			p.head, p.dirty = tx.before.head, tx.before.dirty
		}
	}
	return nil
}

// flush adds the queued statements to a trip.
func (p *part) flush(t *trip) {
	for _, s := range p.queued {
		s.owner.sent = true
		t.add(p.number, s)
	}
	p.queued = nil
	if p.running != nil {
		p.running.tx.before.queued = 0
	}
}

// startHooks prepares the BeforeCommit hooks of a tenant with survivors.
func (p *part) startHooks() {
	if len(p.survivors) == 0 {
		return
	}
	p.hooksTx = &Tx{part: p}
	p.running = newCoroutine(p.hooksTx, func(t engine.Tx) error {
		for _, h := range p.hooks {
			if h.BeforeCommit == nil {
				continue
			}
			if err := h.BeforeCommit(t, p.changes); err != nil {
				return err
			}
		}
		return nil
	})
}

// runHooks runs the hooks until they wait for the server.
func (p *part) runHooks() (waits bool, err error) {
	if p.running == nil {
		return false, nil
	}
	if p.running.proceed() {
		return true, nil
	}
	err = p.running.err
	p.running = nil
	if err != nil {
		return false, &partError{p, err}
	}
	return false, nil
}
