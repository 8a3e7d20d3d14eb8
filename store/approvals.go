package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// How long approvals are kept, by the clock of the DB.
const (
	ApprovalWaits = 3 * 24 * time.Hour // for the user
	OutcomeKept   = 24 * time.Hour     // of one that is settled, for the call that is repeated
)

const (
	mostWaiting = 100              // of one owner, so that no loop fills the disk
	runningTill = 10 * time.Minute // after which the process that carried one out has ended without a word
)

// ErrTooMany: so many approvals wait that no more are kept.
var ErrTooMany = fmt.Errorf("%d requests wait for the user already", mostWaiting)

// An ApprovalStatus says what became of a call that waits for its user.
type ApprovalStatus string

const (
	ApprovalWaiting  ApprovalStatus = "waiting"
	ApprovalRunning  ApprovalStatus = "running"  // the user agreed, and it is being carried out
	ApprovalDone     ApprovalStatus = "done"     // with the outcome
	ApprovalFailed   ApprovalStatus = "failed"   // the user agreed, and the outcome is an error
	ApprovalRejected ApprovalStatus = "rejected" // the user said no
	ApprovalChanged  ApprovalStatus = "changed"  // it would do something else by now, and waits under another id
)

// An Approval is a call that its user must agree to.
type Approval struct {
	ID      string // "a_" and 10 letters and digits
	Call    string // the same for the same call
	Digest  string // the same for the same call that would do the same
	Tool    string
	Effect  string
	Args    json.RawMessage // nil once it is settled
	Shown   json.RawMessage // the same
	Because string
	Status  ApprovalStatus
	Outcome json.RawMessage // nil before it is done or has failed
	Next    string          // the id in place of a changed one
	Created time.Time       // times are in UTC, to the millisecond
	Updated time.Time
	Expires time.Time
}

// Approvals are the calls of one owner that wait, or waited.
type Approvals struct {
	db    *DB
	owner string
}

// Approvals returns a handle on the approvals of one owner. It costs nothing.
func (db *DB) Approvals(owner string) *Approvals { return &Approvals{db: db, owner: owner} }

// Park keeps a call until its user has agreed to it, for ApprovalWaits. The same
// one (Digest) that waits already is returned as it is. One of the same Call that
// would do something else takes the place of the one that waits, under another
// id: nobody agrees to what was not shown. It returns ErrTooMany when 100 wait,
// and removes all that have expired.
func (a *Approvals) Park(ctx context.Context, want Approval) (Approval, error) {
	var parked Approval
	id := "a_" + strings.ToLower(rand.Text()[:10])
	err := a.db.write(aside(ctx), func(t *tx) (err error) {
		now := t.now()
		if _, err := t.exec("DELETE FROM approvals WHERE expires <= ?", millis(now)); err != nil {
			return err
		}
		parked, err = scanApproval(t.row("SELECT "+approvalColumns+" FROM approvals WHERE owner = ? AND call = ? AND status = 'waiting'", a.owner, want.Call))
		switch {
		case err == nil && parked.Digest == want.Digest:
			return nil
		case err == nil:
			err = a.close(t, parked.ID, ApprovalChanged, id, now)
		case errors.Is(err, sql.ErrNoRows):
			err = a.room(t)
		}
		if err != nil {
			return err
		}
		parked = want
		parked.ID, parked.Status = id, ApprovalWaiting
		parked.Created, parked.Updated, parked.Expires = storedTime(now), storedTime(now), storedTime(now.Add(ApprovalWaits))
		_, err = t.exec(`INSERT INTO approvals (id, owner, call, digest, tool, effect, args, shown, because, status, outcome, told, created, updated, expires)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting', '', 0, ?, ?, ?)`,
			id, a.owner, want.Call, want.Digest, want.Tool, want.Effect, string(want.Args), string(want.Shown), want.Because,
			millis(now), millis(now), millis(parked.Expires))
		return err
	})
	if err != nil {
		return Approval{}, fmt.Errorf("keep a request for the user: %w", named(err))
	}
	return parked, nil
}

// room returns ErrTooMany when there is none for another that waits.
func (a *Approvals) room(t *tx) error {
	waiting := 0
	if err := t.row("SELECT count(*) FROM approvals WHERE owner = ? AND status = 'waiting'", a.owner).Scan(&waiting); err != nil {
		return err
	}
	if waiting >= mostWaiting {
		return ErrTooMany
	}
	return nil
}

// Get returns the approval of that id, whatever its status. It returns
// ErrNotFound for one that is unknown, another owner's or expired.
func (a *Approvals) Get(ctx context.Context, id string) (Approval, error) {
	found, err := a.seen(reading{ctx, a.db}, id, a.db.now())
	if err != nil {
		return Approval{}, fmt.Errorf("read request %s: %w", id, named(err))
	}
	return found, nil
}

// Waiting returns the approvals that wait for the user, the oldest first.
func (a *Approvals) Waiting(ctx context.Context) ([]Approval, error) {
	waiting, err := a.waiting(ctx)
	if err != nil {
		return nil, fmt.Errorf("list requests: %w", named(err))
	}
	return waiting, nil
}

func (a *Approvals) waiting(ctx context.Context) ([]Approval, error) {
	rows, err := reading{ctx, a.db}.query("SELECT "+approvalColumns+` FROM approvals
		WHERE owner = ? AND status = 'waiting' AND expires > ? ORDER BY created, id`, a.owner, millis(a.db.now()))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	waiting := []Approval{}
	for rows.Next() {
		one, err := scanApproval(rows)
		if err != nil {
			return nil, err
		}
		waiting = append(waiting, one)
	}
	return waiting, rows.Err()
}

// seen returns the approval of an id that has not expired.
func (a *Approvals) seen(q lookup, id string, now time.Time) (Approval, error) {
	found, err := scanApproval(q.row("SELECT "+approvalColumns+" FROM approvals WHERE id = ? AND owner = ? AND expires > ?", id, a.owner, millis(now)))
	if errors.Is(err, sql.ErrNoRows) {
		return Approval{}, ErrNotFound
	}
	return found, err
}

const approvalColumns = "id, call, digest, tool, effect, args, shown, because, status, outcome, created, updated, expires"

func scanApproval(row scanner) (Approval, error) {
	var a Approval
	var args, shown, outcome string
	var created, updated, expires sql.NullInt64
	err := row.Scan(&a.ID, &a.Call, &a.Digest, &a.Tool, &a.Effect, &args, &shown, &a.Because, &a.Status, &outcome, &created, &updated, &expires)
	if err != nil {
		return Approval{}, err
	}
	if args != "" {
		a.Args, a.Shown = json.RawMessage(args), json.RawMessage(shown)
	}
	switch {
	case a.Status == ApprovalChanged:
		a.Next = outcome
	case outcome != "":
		a.Outcome = json.RawMessage(outcome)
	}
	a.Created, a.Updated, a.Expires = timeOf(created), timeOf(updated), timeOf(expires)
	return a, nil
}
