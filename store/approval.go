package store

import (
	"encoding/json"
	"fmt"
	"time"
)

// How long approvals are kept, by the clock of the DB.
const (
	ApprovalWaits = 3 * 24 * time.Hour // until the user answers
	OutcomeKept   = 24 * time.Hour     // after it is settled, for a repeated call
)

const (
	MaxWaiting  = 100              // of one owner, so that no loop fills the disk
	runningTill = 10 * time.Minute // after this time without an outcome, a running approval counts as lost
)

// ErrTooMany says that MaxWaiting approvals are pending, so no more are accepted.
var ErrTooMany = fmt.Errorf("%d requests wait for the user already", MaxWaiting)

// An ApprovalStatus is the state of a call that needs approval.
type ApprovalStatus string

const (
	ApprovalWaiting  ApprovalStatus = "waiting"
	ApprovalRunning  ApprovalStatus = "running"  // the user agreed, and the call is running
	ApprovalLost     ApprovalStatus = "lost"     // running for ten minutes or more: the outcome is unknown
	ApprovalDone     ApprovalStatus = "done"     // has an outcome
	ApprovalFailed   ApprovalStatus = "failed"   // the user agreed, and the outcome is an error
	ApprovalRejected ApprovalStatus = "rejected" // the user said no
	ApprovalChanged  ApprovalStatus = "changed"  // the call would now do something else, and is pending under another id
)

// An Approval is a call that needs the user's approval.
type Approval struct {
	ID      string // "a_" and 10 letters and digits
	Call    string // equal for equal calls
	Digest  string // equal for equal calls with equal effects
	Tool    string
	Effect  string
	Args    json.RawMessage // nil once it is settled
	Shown   json.RawMessage // nil once it is settled
	Because string
	Session string // the conversation that made the call; "" for the command line
	Status  ApprovalStatus
	Outcome json.RawMessage // nil until it is done or has failed
	Next    string          // the id that replaces a changed one
	Created time.Time       // times are in UTC, to the millisecond
	Updated time.Time
	Expires time.Time
}

// Expire sets the status to ApprovalLost if the call has been running for ten minutes or more.
// Its process has ended by then.
func (a *Approval) Expire(now time.Time) {
	if a.Status == ApprovalRunning && !a.Updated.Add(runningTill).After(now) {
		a.Status = ApprovalLost
	}
}

// A NotWaitingError says that an approval is no longer pending. It matches ErrConflict with
// errors.Is.
type NotWaitingError struct{ Approval Approval }

// Error names the status.
func (e *NotWaitingError) Error() string {
	return fmt.Sprintf("conflict: %s is %s", e.Approval.ID, e.Approval.Status)
}

// Is reports whether target is ErrConflict.
func (e *NotWaitingError) Is(target error) bool { return target == ErrConflict }
