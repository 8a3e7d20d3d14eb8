// Package approvals stores the approvals with and without an outcome, the used nonces,
// and the number of allowed calls (see Limits). An approved call runs at most once, across all
// processes. Start at Store.Enqueue.
package approvals

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"kota/store"
	"kota/store/engine"
)

// Store holds the approvals of one owner, with and without an outcome.
type Store struct {
	db    engine.DB
	owner any
}

// New returns a handle on the approvals of one owner. It does not access the database.
func New(db engine.DB, owner string) *Store { return &Store{db: db, owner: db.Owner(owner)} }

// Enqueue stores a call that needs approval, for at most ApprovalTTL. If an approval with the
// same Call and Digest is pending, Enqueue returns it unchanged. A pending approval with the same
// Call but another Digest is replaced under a new id, so that nobody approves what was not shown.
// If 100 approvals are pending, Enqueue removes the latest one of the Session that has the most.
// A session thus cannot block the others. If no other Session has more than the Session of want,
// Enqueue instead returns ErrTooMany.
func (a *Store) Enqueue(ctx context.Context, want store.Approval) (store.Approval, error) {
	var queued store.Approval
	id := "a_" + strings.ToLower(rand.Text()[:10])
	err := a.db.WriteUnaudited(ctx, func(t engine.Tx) (err error) {
		now := t.Now()
		if err := t.Exec("DELETE FROM approvals WHERE expires <= ? AND owner = ?", engine.Millis(now), a.owner); err != nil {
			return err
		}
		queued, err = scanApproval(t.Row("SELECT "+approvalColumns+" FROM approvals WHERE owner = ? AND call = ? AND status = 'waiting'", a.owner, want.Call))
		switch {
		case err == nil && queued.Digest == want.Digest:
			return nil
		case err == nil:
			err = a.storeOutcome(t, queued.ID, store.ApprovalChanged, json.RawMessage(id), queued.Shown, now)
		case errors.Is(err, sql.ErrNoRows):
			err = a.evict(t, want.Session)
		}
		if err != nil {
			return err
		}
		queued = want
		queued.ID, queued.Status = id, store.ApprovalPending
		queued.Created, queued.Updated, queued.Expires = store.StoredTime(now), store.StoredTime(now), store.StoredTime(now.Add(store.ApprovalTTL))
		return t.Exec(`INSERT INTO approvals (id, owner, call, digest, tool, effect, args, shown, because, session, status, outcome, reported, created, updated, expires)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting', '', 0, ?, ?, ?)`,
			id, a.owner, want.Call, want.Digest, want.Tool, want.Effect, string(want.Args), string(want.Shown), want.Reason, want.Session,
			engine.Millis(now), engine.Millis(now), engine.Millis(queued.Expires))
	})
	if err != nil {
		return store.Approval{}, fmt.Errorf("save a pending call: %w", err)
	}
	return queued, nil
}

// evict removes a pending approval of another session if MaxPending are pending. It returns
// ErrTooMany if no other session has more than the given one.
func (a *Store) evict(t engine.Tx, session string) error {
	count := 0
	err := t.Row("SELECT count(*) FROM approvals WHERE owner = ? AND status = 'waiting'", a.owner).Scan(&count)
	if err != nil || count < store.MaxPending {
		return err
	}
	largest := ""
	err = t.Row(`SELECT session FROM approvals WHERE owner = ?1 AND status = 'waiting'
		GROUP BY session ORDER BY count(*) DESC, session = ?2 DESC, max(created) DESC, session LIMIT 1`, a.owner, session).Scan(&largest)
	if err != nil {
		return err
	}
	if largest == session {
		return store.ErrTooMany
	}
	return t.Exec(`DELETE FROM approvals WHERE owner = ?1 AND id = (SELECT id FROM approvals
		WHERE owner = ?1 AND status = 'waiting' AND session = ?2 ORDER BY created DESC, id DESC LIMIT 1)`, a.owner, largest)
}

// Get returns the approval with that id, whatever its status. It returns ErrNotFound if the id is
// unknown, belongs to another owner or has expired.
func (a *Store) Get(ctx context.Context, id string) (store.Approval, error) {
	found, err := a.unexpired(a.db.Read(ctx), id, a.db.Now())
	if err != nil {
		return store.Approval{}, fmt.Errorf("read approval %s: %w", id, err)
	}
	return found, nil
}

// Replaced returns the approval that the one with that id replaced, with what the user was shown then.
// It returns ErrNotFound if it replaced none, or if that is longer ago than OutcomeTTL.
func (a *Store) Replaced(ctx context.Context, id string) (store.Approval, error) {
	found, err := scanApproval(a.db.Read(ctx).Row("SELECT "+approvalColumns+" FROM approvals WHERE owner = ? AND status = 'changed' AND outcome = ? AND expires > ?",
		a.owner, id, engine.Millis(a.db.Now())))
	if errors.Is(err, sql.ErrNoRows) {
		err = store.ErrNotFound
	}
	if err != nil {
		return store.Approval{}, fmt.Errorf("find what %s replaced: %w", id, err)
	}
	return found, nil
}

// Pending returns the pending approvals, oldest first.
func (a *Store) Pending(ctx context.Context) ([]store.Approval, error) {
	list, err := a.pending(ctx)
	if err != nil {
		return nil, fmt.Errorf("list pending approvals: %w", err)
	}
	return list, nil
}

func (a *Store) pending(ctx context.Context) ([]store.Approval, error) {
	rows, err := a.db.Read(ctx).Query("SELECT "+approvalColumns+` FROM approvals
		WHERE owner = ? AND status = 'waiting' AND expires > ? ORDER BY created, id`, a.owner, engine.Millis(a.db.Now()))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := []store.Approval{}
	for rows.Next() {
		one, err := scanApproval(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, rows.Err()
}

// unexpired returns the approval with that id. It returns ErrNotFound like Get.
func (a *Store) unexpired(q engine.Querier, id string, now time.Time) (store.Approval, error) {
	found, err := scanApproval(q.Row("SELECT "+approvalColumns+" FROM approvals WHERE id = ? AND owner = ? AND expires > ?", id, a.owner, engine.Millis(now)))
	if errors.Is(err, sql.ErrNoRows) {
		return store.Approval{}, store.ErrNotFound
	}
	found.MarkLost(now)
	return found, err
}

const approvalColumns = "id, call, digest, tool, effect, args, shown, because, session, status, outcome, created, updated, expires"

func scanApproval(row engine.Scanner) (store.Approval, error) {
	var a store.Approval
	var args, shown, outcome string
	var created, updated, expires sql.NullInt64
	err := row.Scan(&a.ID, &a.Call, &a.Digest, &a.Tool, &a.Effect, &args, &shown, &a.Reason, &a.Session, &a.Status, &outcome, &created, &updated, &expires)
	if err != nil {
		return store.Approval{}, err
	}
	if args != "" {
		a.Args = json.RawMessage(args)
	}
	if shown != "" {
		a.Shown = json.RawMessage(shown)
	}
	switch {
	case a.Status == store.ApprovalChanged:
		a.ReplacedBy = outcome
	case outcome != "":
		a.Outcome = json.RawMessage(outcome)
	}
	a.Created, a.Updated, a.Expires = engine.TimeOf(created), engine.TimeOf(updated), engine.TimeOf(expires)
	return a, nil
}
