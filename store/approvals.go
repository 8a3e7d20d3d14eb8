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
	runningTill = 10 * time.Minute // after which the process that carried one out has ended without a word: it is lost
)

// ErrTooMany: so many approvals wait that no more are kept.
var ErrTooMany = fmt.Errorf("%d requests wait for the user already", mostWaiting)

// An ApprovalStatus says what became of a call that waits for its user.
type ApprovalStatus string

const (
	ApprovalWaiting  ApprovalStatus = "waiting"
	ApprovalRunning  ApprovalStatus = "running"  // the user agreed, and it is being carried out
	ApprovalLost     ApprovalStatus = "lost"     // so it was, ten minutes ago and more: nobody knows what came of it
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
	Session string // the conversation it came from; "" for the command line
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
// id: nobody agrees to what was not shown. When 100 wait, the last one of the
// Session that has the most gives way, so that none keeps the others from asking;
// where that is the Session of this one, Park returns ErrTooMany.
func (a *Approvals) Park(ctx context.Context, want Approval) (Approval, error) {
	var parked Approval
	id := "a_" + strings.ToLower(rand.Text()[:10])
	err := a.db.write(aside(ctx), func(t *tx) (err error) {
		now := t.now()
		if err := expire(t, now); err != nil {
			return err
		}
		parked, err = scanApproval(t.row("SELECT "+approvalColumns+" FROM approvals WHERE owner = ? AND call = ? AND status = 'waiting'", a.owner, want.Call))
		switch {
		case err == nil && parked.Digest == want.Digest:
			return nil
		case err == nil:
			err = a.close(t, parked.ID, ApprovalChanged, id, now)
		case errors.Is(err, sql.ErrNoRows):
			err = a.room(t, want.Session)
		}
		if err != nil {
			return err
		}
		parked = want
		parked.ID, parked.Status = id, ApprovalWaiting
		parked.Created, parked.Updated, parked.Expires = storedTime(now), storedTime(now), storedTime(now.Add(ApprovalWaits))
		_, err = t.exec(`INSERT INTO approvals (id, owner, call, digest, tool, effect, args, shown, because, session, status, outcome, told, created, updated, expires)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting', '', 0, ?, ?, ?)`,
			id, a.owner, want.Call, want.Digest, want.Tool, want.Effect, string(want.Args), string(want.Shown), want.Because, want.Session,
			millis(now), millis(now), millis(parked.Expires))
		return err
	})
	if err != nil {
		return Approval{}, fmt.Errorf("keep a request for the user: %w", named(err))
	}
	return parked, nil
}

// room sees to it that there is some for another one of a session that waits.
func (a *Approvals) room(t *tx, session string) error {
	waiting := 0
	err := t.row("SELECT count(*) FROM approvals WHERE owner = ? AND status = 'waiting'", a.owner).Scan(&waiting)
	if err != nil || waiting < mostWaiting {
		return err
	}
	most := ""
	err = t.row(`SELECT session FROM approvals WHERE owner = ?1 AND status = 'waiting'
		GROUP BY session ORDER BY count(*) DESC, session = ?2 DESC, max(created) DESC LIMIT 1`, a.owner, session).Scan(&most)
	if err != nil {
		return err
	}
	if most == session {
		return ErrTooMany
	}
	_, err = t.exec(`DELETE FROM approvals WHERE id = (SELECT id FROM approvals
		WHERE owner = ? AND status = 'waiting' AND session = ? ORDER BY created DESC, id DESC LIMIT 1)`, a.owner, most)
	return err
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
	found.lose(now)
	return found, err
}

// lose makes one lost that was to be carried out so long ago that whoever did has
// ended.
func (a *Approval) lose(now time.Time) {
	if a.Status == ApprovalRunning && !a.Updated.Add(runningTill).After(now) {
		a.Status = ApprovalLost
	}
}

const approvalColumns = "id, call, digest, tool, effect, args, shown, because, session, status, outcome, created, updated, expires"

func scanApproval(row scanner) (Approval, error) {
	var a Approval
	var args, shown, outcome string
	var created, updated, expires sql.NullInt64
	err := row.Scan(&a.ID, &a.Call, &a.Digest, &a.Tool, &a.Effect, &args, &shown, &a.Because, &a.Session, &a.Status, &outcome, &created, &updated, &expires)
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
