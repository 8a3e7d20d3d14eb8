package store

import (
	"encoding/json"
	"fmt"
	"time"
)

// How long approvals are kept, by the clock of the DB.
const (
	ApprovalWaits = 3 * 24 * time.Hour // for the user
	OutcomeKept   = 24 * time.Hour     // of one that is settled, for the call that is repeated
)

const (
	MaxWaiting  = 100              // of one owner, so that no loop fills the disk
	runningTill = 10 * time.Minute // after which the process that carried one out has ended without a word: it is lost
)

// ErrTooMany: so many approvals wait that no more are kept.
var ErrTooMany = fmt.Errorf("%d requests wait for the user already", MaxWaiting)

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

// Expire makes one lost that was to be carried out so long ago that whoever did has
// ended.
func (a *Approval) Expire(now time.Time) {
	if a.Status == ApprovalRunning && !a.Updated.Add(runningTill).After(now) {
		a.Status = ApprovalLost
	}
}

// A NotWaitingError says that nobody can agree to an approval any more. It
// answers to errors.Is(err, ErrConflict).
type NotWaitingError struct{ Approval Approval }

// Error names the status.
func (e *NotWaitingError) Error() string {
	return fmt.Sprintf("conflict: %s is %s", e.Approval.ID, e.Approval.Status)
}

// Is reports whether target is ErrConflict.
func (e *NotWaitingError) Is(target error) bool { return target == ErrConflict }
