package approvals

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"kota/store"
	"kota/store/engine"
)

// Consume uses the user's approval, and counts the call like Limits.Allow. Only one caller in all
// processes can consume an approval. It returns ErrNotFound like Get, a *NotPendingError for an
// approval that is not pending, and a *LimitError if a limit is reached. After a *LimitError the
// approval stays pending.
func (a *Store) Consume(ctx context.Context, id, kind string, limits []store.Limit) error {
	err := a.db.WriteUnaudited(ctx, func(t engine.Tx) error {
		now := t.Now()
		if err := a.checkPending(t, id, now); err != nil {
			return err
		}
		if err := allow(t, a.owner, kind, 1, limits, now); err != nil {
			return err
		}
		return t.Exec("UPDATE approvals SET status = 'running', updated = ?, expires = ? WHERE id = ? AND owner = ?", engine.Millis(now), engine.Millis(now.Add(store.ApprovalTTL)), id, a.owner)
	})
	if err != nil {
		return fmt.Errorf("use the approval of %s: %w", id, err)
	}
	return nil
}

// Release makes a consumed approval pending again, because its call was not allowed or not
// started. It returns the approval, or an error like Get. It does not change an approval that is
// lost or has an outcome.
func (a *Store) Release(ctx context.Context, id string) (store.Approval, error) {
	var got store.Approval
	err := a.db.WriteUnaudited(ctx, func(t engine.Tx) (err error) {
		now := t.Now()
		if got, err = a.unexpired(t, id, now); err != nil || got.Status != store.ApprovalRunning {
			return err
		}
		got.Status, got.Updated = store.ApprovalPending, store.StoredTime(now)
		return t.Exec("UPDATE approvals SET status = 'waiting', updated = ? WHERE id = ? AND owner = ?", engine.Millis(now), id, a.owner)
	})
	if err != nil {
		return store.Approval{}, fmt.Errorf("return %s to pending: %w", id, err)
	}
	return got, nil
}

// checkPending returns nil if the approval with that id is pending, and otherwise a
// *NotPendingError or ErrNotFound.
func (a *Store) checkPending(t engine.Tx, id string, now time.Time) error {
	found, err := a.unexpired(t, id, now)
	if err == nil && found.Status != store.ApprovalPending {
		err = &store.NotPendingError{Approval: found}
	}
	return err
}

// SetOutcome stores the outcome of an approval for OutcomeTTL, and removes its Args and Shown. It
// returns ErrNotFound like Get. It does not change an approval that has an outcome.
func (a *Store) SetOutcome(ctx context.Context, id string, status store.ApprovalStatus, outcome json.RawMessage) error {
	return a.setOutcome(ctx, id, status, outcome, nil)
}

// SetEditedOutcome is SetOutcome for a call that the user changed before it ran. Shown is what the
// user saw of the changed call; TakeOutcome returns it with the outcome.
func (a *Store) SetEditedOutcome(ctx context.Context, id string, status store.ApprovalStatus, outcome, shown json.RawMessage) error {
	return a.setOutcome(ctx, id, status, outcome, shown)
}

func (a *Store) setOutcome(ctx context.Context, id string, status store.ApprovalStatus, outcome, shown json.RawMessage) error {
	err := a.db.WriteUnaudited(ctx, func(t engine.Tx) error {
		now := t.Now()
		found, err := a.unexpired(t, id, now)
		if err != nil || !slices.Contains([]store.ApprovalStatus{store.ApprovalPending, store.ApprovalRunning, store.ApprovalLost}, found.Status) {
			return err
		}
		return a.storeOutcome(t, id, status, outcome, shown, now)
	})
	if err != nil {
		return fmt.Errorf("save the outcome of %s: %w", id, err)
	}
	return nil
}

// Reject gives a pending approval the status rejected. TakeOutcome returns that status once.
// Reject returns ErrNotFound like Get, and a *NotPendingError for an approval that is not
// pending.
func (a *Store) Reject(ctx context.Context, id string) error {
	return a.finishPending(ctx, id, store.ApprovalRejected, nil)
}

// Fail gives a pending approval, whose call can never run, the status failed. TakeOutcome returns
// the failure once. Fail returns the same errors as Reject.
func (a *Store) Fail(ctx context.Context, id string, failure json.RawMessage) error {
	return a.finishPending(ctx, id, store.ApprovalFailed, failure)
}

// finishPending stores the outcome of a pending approval. It returns a *NotPendingError for an
// approval that is not pending.
func (a *Store) finishPending(ctx context.Context, id string, status store.ApprovalStatus, outcome json.RawMessage) error {
	err := a.db.WriteUnaudited(ctx, func(t engine.Tx) error {
		now := t.Now()
		if err := a.checkPending(t, id, now); err != nil {
			return err
		}
		return a.storeOutcome(t, id, status, outcome, nil, now)
	})
	if err != nil {
		return fmt.Errorf("mark %s as %s: %w", id, status, err)
	}
	return nil
}

func (a *Store) storeOutcome(t engine.Tx, id string, status store.ApprovalStatus, outcome, shown json.RawMessage, now time.Time) error {
	return t.Exec("UPDATE approvals SET status = ?, outcome = ?, args = '', shown = ?, reported = 0, updated = ?, expires = ? WHERE id = ? AND owner = ?",
		status, string(outcome), string(shown), engine.Millis(now), engine.Millis(now.Add(store.OutcomeTTL)), id, a.owner)
}

// TakeOutcome returns the outcome of a call that needed approval. It returns a done, failed,
// rejected or lost call once, and a running one each time. It returns ErrNotFound if there is no
// such outcome. This is the usual case; then it writes nothing.
func (a *Store) TakeOutcome(ctx context.Context, call string) (store.Approval, error) {
	found, err := a.newOutcome(a.db.Read(ctx), call, a.db.Now())
	if err == nil && found.Status != store.ApprovalRunning {
		err = a.db.WriteUnaudited(ctx, func(t engine.Tx) error {
			if found, err = a.newOutcome(t, call, t.Now()); err != nil || found.Status == store.ApprovalRunning {
				return err
			}
			return t.Exec("UPDATE approvals SET reported = 1, args = '', shown = '' WHERE id = ? AND owner = ?", found.ID, a.owner)
		})
	}
	if err != nil {
		return store.Approval{}, fmt.Errorf("find an outcome: %w", err)
	}
	return found, nil
}

func (a *Store) newOutcome(q engine.Querier, call string, now time.Time) (store.Approval, error) {
	found, err := scanApproval(q.Row("SELECT "+approvalColumns+` FROM approvals
		WHERE owner = ? AND call = ? AND expires > ? AND reported = 0 AND status IN ('done', 'failed', 'rejected', 'running')
		ORDER BY updated DESC, id LIMIT 1`, a.owner, call, engine.Millis(now)))
	if errors.Is(err, sql.ErrNoRows) {
		return store.Approval{}, store.ErrNotFound
	}
	found.MarkLost(now)
	return found, err
}

// In SQLite, the table consents has no owner.
var (
	deleteNonces = engine.Stmt{
		SQLite:   "DELETE FROM consents WHERE expires <= ?2",
		Postgres: "DELETE FROM consents WHERE owner = ?1 AND expires <= ?2",
	}
	insertNonce = engine.Stmt{
		SQLite:   "INSERT INTO consents (nonce, expires) VALUES (?2, ?3) ON CONFLICT DO NOTHING",
		Postgres: "INSERT INTO consents (owner, nonce, expires) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
	}
)

// ConsumeNonce marks as used the nonce of an approval that the user gave in a conversation. The
// approval is valid until expires. ConsumeNonce returns ErrTooLate after that time, by the clock that
// also says which nonces it removes. It returns ErrConflict if any process has used the nonce before.
func (a *Store) ConsumeNonce(ctx context.Context, nonce string, expires time.Time) error {
	err := a.db.WriteUnaudited(ctx, func(t engine.Tx) error {
		now := t.Now()
		if expires.UnixMilli() <= now.UnixMilli() { // its nonce may have been removed
			return store.ErrTooLate
		}
		if err := t.Exec(deleteNonces.For(t), a.owner, engine.Millis(now)); err != nil {
			return err
		}
		inserted, err := t.Change(insertNonce.For(t), a.owner, nonce, engine.Millis(expires))
		if err == nil && inserted == 0 {
			err = store.ErrConflict
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("use an approval: %w", err)
	}
	return nil
}
