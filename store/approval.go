package store

import (
	"encoding/json"
	"fmt"
	"time"
)

// Lifetimes of approvals, by the clock of the DB.
const (
	ApprovalTTL = 3 * 24 * time.Hour // how long an approval waits for the user
	OutcomeTTL  = 24 * time.Hour     // how long an outcome stays available to a repeated call
)

const (
	MaxPending = 100              // maximum number of pending approvals of one owner: a loop of calls must not fill the disk
	lostAfter  = 10 * time.Minute // how long an approved call may run before it counts as lost
)

// ErrTooMany says that MaxPending approvals are pending. It is returned only if no session has
// more of them than the session of the caller.
var ErrTooMany = fmt.Errorf("the maximum of %d calls is already pending", MaxPending)

// An ApprovalStatus is the state of a call that needs approval.
type ApprovalStatus string

const (
	ApprovalPending  ApprovalStatus = "waiting"
	ApprovalRunning  ApprovalStatus = "running"  // the user agreed, and the call is running
	ApprovalLost     ApprovalStatus = "lost"     // running for ten minutes or more: the outcome is unknown
	ApprovalDone     ApprovalStatus = "done"     // the user agreed, and the outcome is no error
	ApprovalFailed   ApprovalStatus = "failed"   // the outcome is an error, or the call can never run
	ApprovalRejected ApprovalStatus = "rejected" // the user said no
	ApprovalChanged  ApprovalStatus = "changed"  // the call would now do something else, and is pending under another id
)

// An Approval is a call that needs the user's approval.
type Approval struct {
	ID         string // "a_" and 10 letters and digits
	Call       string // equal for equal calls
	Digest     string // equal for equal calls with the same effect
	Tool       string
	Effect     string
	Args       json.RawMessage // nil once the call has an outcome or was returned as lost
	Shown      json.RawMessage // what the user sees before approving; nil like Args, except for a call that changed or that the user changed
	Reason     string
	Session    string // the conversation that made the call; "" for the command line
	Status     ApprovalStatus
	Outcome    json.RawMessage // nil until the call is done or has failed
	ReplacedBy string          // for ApprovalChanged: the id of the new approval; otherwise ""
	Created    time.Time       // times are in UTC, to the millisecond
	Updated    time.Time
	Expires    time.Time
}

// MarkLost sets the status to ApprovalLost if the call has been running for ten minutes or more
// without an outcome.
func (a *Approval) MarkLost(now time.Time) {
	if a.Status == ApprovalRunning && !a.Updated.Add(lostAfter).After(now) {
		a.Status = ApprovalLost
	}
}

// A NotPendingError says that an approval is no longer pending. It matches ErrConflict with
// errors.Is.
type NotPendingError struct{ Approval Approval }

// Error names the status.
func (e *NotPendingError) Error() string {
	return fmt.Sprintf("conflict: %s is %s", e.Approval.ID, e.Approval.Status)
}

// Is reports whether target is ErrConflict.
func (e *NotPendingError) Is(target error) bool { return target == ErrConflict }
