package postgres

import (
	"errors"

	"github.com/jackc/pgx/v5/pgconn"

	"kota/store"
	"kota/store/postgres/failure"
)

// finishWrites finishes the writes of a group that has ended, or returns them to the queue. If the
// group failed because of one write, that write runs again alone, and the others together. err is
// why the group failed.
func (g *group) finishWrites(err error) {
	if err == nil || errors.Is(err, store.ErrOutcomeUnknown) {
		for _, p := range g.parts {
			p.finish(err)
		}
		return
	}
	for _, p := range g.parts {
		if p.running != nil && !p.running.ended {
			p.running.abandon(failure.Classify(err))
		}
	}
	if isStalePlan(err) {
		g.lane.disconnect()
	}
	g.rollback()
	if isLockTimeout(err) && g.lane.conn != nil {
		g.lane.endStalled(g.lane.conn)
	}
	again := []*queuedWrite{}
	for _, p := range g.parts {
		for _, q := range p.writes {
			if final := g.retryOrFail(p, q, err); final != nil {
				q.finish(final)
			} else {
				again = append(again, q)
			}
		}
	}
	g.lane.requeue(again)
}

// finish finishes the writes of a part: the survivors with err, and the others with their own
// errors.
func (p *part) finish(err error) {
	for _, q := range p.survivors {
		q.finish(err)
	}
	for _, d := range p.dropped {
		d.write.finish(d.err)
	}
}

// retryOrFail returns the error of a write in a group that was rolled back because of err. It returns nil
// if the write should run again, which is safe: nothing of the group was committed.
func (g *group) retryOrFail(p *part, q *queuedWrite, err error) error {
	if isLost(err) || isTransient(err) {
		q.tries++
		q.alone = q.tries == maxTries-1 // it may be the reason
		if q.tries < maxTries {
			return nil
		}
		return err
	}
	if len(g.parts) == 1 && len(p.writes) == 1 {
		if p.running != nil && p.running.err != nil {
			return p.running.err // with the words of the write
		}
		return err
	}
	culprit, write := g.culprit(err)
	isReason := culprit == p && (write == nil || write == q)
	q.disturbed++
	q.alone = q.alone || culprit == nil || isReason || q.disturbed > maxDisturbed
	return nil
}

// maxDisturbed is how many groups of a write may fail because of others. Then it runs alone.
const maxDisturbed = 2

// culprit returns the part because of which the group failed, and the write if it is known. It
// returns nil if any may be the reason.
func (g *group) culprit(err error) (*part, *queuedWrite) {
	if failed := (*partError)(nil); errors.As(err, &failed) {
		return failed.part, nil
	}
	write := (*queuedWrite)(nil)
	if failed := (*writeError)(nil); errors.As(err, &failed) {
		write = failed.write
	}
	trip := (*tripError)(nil)
	if errors.As(err, &trip) && trip.failed != nil && trip.failed.owner != nil {
		return trip.failed.owner.part, trip.failed.owner.write
	}
	for _, p := range g.parts {
		for _, q := range p.writes {
			if q == write {
				return p, write
			}
		}
	}
	return nil, nil
}

// isTransient reports whether the same transaction may succeed when it runs again: it was part of a
// deadlock, could not be serialized, or a plan was out of date.
func isTransient(err error) bool {
	refused := (*pgconn.PgError)(nil)
	return isStalePlan(err) || errors.As(err, &refused) && (refused.Code == "40P01" || refused.Code == "40001")
}

// finishAfterGoexit ends a group in which a write or a hook has called runtime.Goexit, as testing.T.FailNow does.
// That write fails, or all writes of the person with that hook. The others run again.
func (g *group) finishAfterGoexit() {
	if g.decided { // it was an AfterCommit
		defer g.finishWrites(g.err)
		g.afterCommit(g.err)
		return
	}
	g.lane.disconnect()
	again := []*queuedWrite{}
	for _, p := range g.parts {
		ended, all := (*queuedWrite)(nil), false
		if p.running != nil && p.running.ended {
			ended, all = p.running.tx.write, p.running.tx == p.hooksTx
		} else if p.running != nil {
			p.running.abandon(errEnded)
		}
		for _, q := range p.writes {
			if all || q == ended {
				q.finish(errGoexit)
			} else {
				again = append(again, q)
			}
		}
	}
	g.afterCommit(errGoexit)
	g.lane.requeue(again)
}
