package approvals

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"kota/store"
	"kota/store/engine"
)

// recordTTL is how long allowed calls are stored. It is therefore the longest possible Window of
// a Limit.
const recordTTL = 24 * time.Hour

// Limits counts the allowed calls of one owner.
type Limits struct {
	db    engine.DB
	owner any
}

// NewLimits returns a handle on the limits of one owner. It does not access the database.
func NewLimits(db engine.DB, owner string) *Limits { return &Limits{db: db, owner: db.Owner(owner)} }

// Allow checks that n more calls of a kind are allowed, and records them in the same transaction.
// Without limits it records nothing. If limits are reached, it returns a *LimitError for the one
// with the longest wait. Changes to and from daylight saving time have no effect. Records in the
// future, from a wrong clock, do not count.
func (l *Limits) Allow(ctx context.Context, kind string, n int, limits []store.Limit) error {
	if len(limits) == 0 || n == 0 {
		return nil
	}
	err := l.db.WriteUnaudited(ctx, func(t engine.Tx) error { return allow(t, l.owner, kind, n, limits, t.Now()) })
	if err != nil {
		return fmt.Errorf("count against a limit: %w", err)
	}
	return nil
}

// Refund removes the last record of Allow of that kind. Call it if the allowed call had no
// effect.
func (l *Limits) Refund(ctx context.Context, kind string) error {
	err := l.db.WriteUnaudited(ctx, func(t engine.Tx) error {
		return t.Exec(`DELETE FROM passes WHERE owner = ?1 AND rowid =
			(SELECT rowid FROM passes WHERE owner = ?1 AND kind = ?2 ORDER BY at DESC, rowid DESC LIMIT 1)`, l.owner, kind)
	})
	if err != nil {
		return fmt.Errorf("take back a count: %w", err)
	}
	return nil
}

// allow is Allow within a transaction.
func allow(t engine.Tx, owner any, kind string, n int, limits []store.Limit, now time.Time) error {
	if len(limits) == 0 {
		return nil
	}
	var reached *store.LimitError
	for _, limit := range limits {
		retryAt, err := nextAllowed(t, owner, kind, n, limit, now)
		if err != nil {
			return err
		}
		if retryAt.After(now) && (reached == nil || retryAt.After(reached.RetryAt)) {
			reached = &store.LimitError{Limit: limit, RetryAt: retryAt}
		}
	}
	if reached != nil {
		return reached
	}
	if err := t.Exec("DELETE FROM passes WHERE owner = ? AND at <= ?", owner, engine.Millis(now.Add(-recordTTL))); err != nil {
		return err
	}
	_, err := t.Insert("passes", "INSERT INTO passes (rowid, owner, kind, at, n) VALUES (?, ?, ?, ?, ?)", owner, kind, engine.Millis(now), n)
	return err
}

// nextAllowed returns when the limit allows n more calls, or the zero time if it allows them now.
// It never allows more than Max calls at once. For n above Max, nextAllowed returns the end of a
// Window that starts now.
func nextAllowed(t engine.Tx, owner any, kind string, n int, limit store.Limit, now time.Time) (time.Time, error) {
	if n > limit.Max {
		return now.Add(limit.Window), nil
	}
	var at sql.NullInt64
	err := t.Row(`SELECT at FROM (
			SELECT at, sum(n) OVER (ORDER BY at DESC, rowid DESC) AS since FROM passes WHERE owner = ? AND kind = ? AND at > ? AND at <= ?) AS counted
		WHERE since > ? ORDER BY at DESC LIMIT 1`,
		owner, kind, engine.Millis(now.Add(-limit.Window)), engine.Millis(now), limit.Max-n).Scan(&at)
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, nil
	}
	return engine.TimeOf(at).Add(limit.Window), err
}
