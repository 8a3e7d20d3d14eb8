package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"kota/store"
	"kota/store/postgres/convert"
	"kota/store/postgres/failure"
)

const (
	settleTime  = 20 * time.Second
	settlePause = 100 * time.Millisecond // between two questions
)

// findOutcome returns whether a commit whose connection failed has happened: nil if so, lost if not. It
// returns store.ErrOutcomeUnknown if the server does not say so in time.
//
// It locks the head of a tenant of the group. The lock is free only after the old transaction has
// ended. Then the row of commits is there, or it will never be.
func (l *lane) findOutcome(tenant int64, id [16]byte, at int64, lost error) error {
	ctx, cancel := context.WithTimeout(l.stopping, l.SettleTime)
	defer cancel()
	for {
		committed, err := l.hasCommitted(ctx, tenant, id, at)
		switch {
		case err == nil && committed:
			return nil
		case err == nil:
			return lost
		}
		l.Log.Warn("the outcome of a commit is not known yet", "err", failure.Classify(err))
		select {
		case <-time.After(settlePause):
		case <-ctx.Done():
			// It does not match the errors of the connection: these say that nothing was changed.
			return failure.New(store.ErrOutcomeUnknown, "%s", store.ErrOutcomeUnknown.Error())
		}
	}
}

// hasCommitted asks over a new connection, which the lane then keeps.
func (l *lane) hasCommitted(ctx context.Context, tenant int64, id [16]byte, at int64) (bool, error) {
	conn, err := l.Connect(ctx)
	if err != nil {
		return false, err
	}
	found, err := findCommitLocked(conn, tenant, id, at)
	if err != nil {
		if isLockTimeout(err) {
			if _, err := conn.Exec(ctx, "ROLLBACK"); err == nil {
				l.endStalled(conn) // one of them may be the connection of the commit
			}
		}
		closing, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		conn.Close(closing)
		return false, err
	}
	l.conn = conn
	return found, nil
}

func findCommitLocked(conn *pgx.Conn, tenant int64, id [16]byte, at int64) (bool, error) {
	find := &convert.Result{}
	t := trip{}
	t.control("BEGIN")
	lock := t.lockHeads([]int64{tenant})
	t.add(tenant, &statement{text: findCommit, args: []any{tenant, at, id}, into: find})
	t.control("COMMIT")
	if err := t.send(conn); err != nil {
		return false, err
	}
	heads, err := lock.read()
	if err != nil {
		return false, err
	}
	now, exists := heads[tenant]
	if !exists {
		return false, ErrRemoved
	}
	if find.IsEmpty() && now.now().Sub(time.UnixMilli(at)) > commitsKept/2 {
		return false, errors.New("the question is too old: the row may have been removed")
	}
	return !find.IsEmpty(), nil
}
