// Package approval asks the user whether calls may send, destroy or remove something, and
// keeps the calls that wait for the answer. It guarantees that no argument of a call
// counts as an approval. An approval covers only what the user saw, and only once. Start
// with Approvals.Approve: the assistant reads its errors. request_text.go writes the text
// that the user reads.
package approval

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"kota/entrypoint"
	"kota/metadata"
)

// Approvals asks the user whether a Request may happen. It asks through the channel of the
// call: on a terminal, or through an MCP client that supports elicitation. Otherwise
// the call waits until the user runs `kota approve`.
type Approvals struct {
	Owner         string // the owner of the calls; approvals of other owners do not count
	Pending       Queue
	Sealer        Sealer
	Terminal      func(context.Context, entrypoint.Request) error // asks on the terminal; nil without a terminal
	Client        FormClient                                      // asks through the client that made the call; if nil, calls wait for `kota approve`
	AnswerTimeout time.Duration                                   // how long to wait for a client's answer; 0 means two minutes
	Now           func() time.Time

	openQuestions atomic.Int64 // questions that clients have not answered yet
}

// A Queue keeps pending calls and accepts each answer only once. Its errors are *metadata.Errors.
type Queue interface {
	// Enqueue keeps a call until the user approves or rejects it. It returns the id by
	// which the user names the call. Calls with the same PendingCall.Digest get the same id.
	Enqueue(context.Context, PendingCall) (id string, err error)
	// ConsumeNonce records that the answer with this nonce was used. It reports whether
	// this is the first use. After expires it returns ErrTooLate, by the clock of the database:
	// those of two replicas may differ.
	ConsumeNonce(ctx context.Context, nonce string, expires time.Time) (first bool, err error)
	// TakeOutcome returns the outcome of the pending call with this PendingCall.Call, and
	// forgets the outcome. It returns nil if there is no outcome to report.
	TakeOutcome(ctx context.Context, call string) (*Outcome, error)
}

// ErrTooLate says that the answer came after its question had expired.
var ErrTooLate = errors.New("the question has expired")

// A Sealer encrypts data that only KOTA may read again. Open fails if the associated
// data differs from that of Seal.
type Sealer interface {
	Seal(plain, associatedData []byte) ([]byte, error)
	Open(sealed, associatedData []byte) ([]byte, error)
}

// A PendingCall is a call that waits for the user's approval.
type PendingCall struct {
	Call    string // the id of the call; equal calls have the same id
	Digest  string // equal calls with equal effects have the same digest
	Tool    string
	Effect  metadata.Effect
	Args    json.RawMessage
	Text    RequestText
	Reason  string
	Session string // the conversation of the call; "" for the command line
}

// An Outcome says what happened to a pending call.
type Outcome struct {
	ID       string
	At       time.Time
	Answer   json.RawMessage // the call's answer
	Err      *metadata.Error // set if the call failed, was rejected or has not finished
	Rejected bool            // the user rejected it; otherwise they approved it
	Edited   string          // what ran instead, if the user changed the call before approving it; "" otherwise
}

const defaultAnswerTimeout = 2 * time.Minute

// maxOpenQuestions is the maximum number of questions that clients show at once. A user
// with more open questions would answer none of them. Further calls wait for `kota approve`.
const maxOpenQuestions = 32

// Approve returns nil if the user has already approved exactly this Request of the call. If
// the user approves while Approve waits, it returns an error that makes Retry run the call
// again. Otherwise it returns another error, usually with one of these codes:
//   - REFUSED: the user said no, has said no too often before, or the answer is not valid,
//   - APPROVAL_REQUIRED: the user must still approve the call,
//   - CONFLICT: the effect of the call has changed since the user saw it.
func (a *Approvals) Approve(ctx context.Context, c *entrypoint.Call, request entrypoint.Request) error {
	digest := Digest(request, a.Owner)
	switch {
	case slices.Contains(c.ApprovedDigests, digest):
		return nil
	case c.Approval != nil:
		return a.useApproval(ctx, c, request, digest)
	case a.Terminal != nil:
		if err := a.Terminal(ctx, request); err != nil {
			return err
		}
		c.NoteApproval("terminal")
		return &approvedError{digest}
	case c.Answer != nil:
		return a.redeemAnswer(ctx, c, request, digest)
	}
	_ = c.Session.Refresh(ctx) // otherwise refusals at other replicas do not count now
	request.Refusals = c.Session.Refusals(a.Now())
	if len(request.Refusals) >= entrypoint.MaxRefusals {
		return a.wait(ctx, c, request, digest)
	}
	return a.askClient(ctx, c, request, digest)
}

// wait adds the call to the pending calls and returns the error that says so. It does not
// block.
func (a *Approvals) wait(ctx context.Context, c *entrypoint.Call, request entrypoint.Request, digest string) error {
	request.Refusals = c.Session.Refusals(a.Now()) // the user may have refused another call meanwhile
	id, err := a.enqueue(ctx, c, request, digest)
	if err != nil {
		return err
	}
	if len(request.Refusals) >= entrypoint.MaxRefusals {
		e := metadata.Errorf(metadata.Refused, "the user %s, so they were not asked about this call of %s: nothing was done, and the call is pending as %s", refusalSummary(request.Refusals), request.Action.Tool, id).
			WithHint("Do not repeat the call now; ask the user what they want. `kota pending` shows the pending calls, and `kota approve %s` approves this one. After that, repeat the call for its outcome; KOTA then asks the user about new calls again.", id)
		e.Approval = id
		return e
	}
	draft := ""
	if request.Effect == metadata.Sends && request.Action.HasParam(metadata.AsDraft) {
		draft = " With as_draft true it is saved as a draft, without approval."
	}
	how := "Ask the user to run `kota approve %s`, which shows the whole call and asks for approval."
	switch c.Channel {
	case entrypoint.ByConsole:
		how = "`kota approve %s` or the page Approvals shows the whole call and asks for approval."
	case entrypoint.ByCLI:
		how = "Run `kota approve %s` on a terminal; it shows the whole call and asks for approval."
	}
	e := metadata.Errorf(metadata.ApprovalNeeded, "the user must approve this call of %s first: nothing was done, and the call is pending as %s", request.Action.Tool, id).
		WithHint(how+" After that, the same call returns the outcome.%s", id, draft)
	e.Approval = id
	return e
}

func (a *Approvals) enqueue(ctx context.Context, c *entrypoint.Call, request entrypoint.Request, digest string) (id string, err error) {
	return a.Pending.Enqueue(ctx, PendingCall{
		Call: callID(request, a.Owner), Digest: digest, Tool: request.Action.Tool, Effect: request.Effect,
		Args: request.Args, Text: TextOf(request), Reason: request.Reason, Session: c.Session.Name,
	})
}

// useApproval uses the approval that the user gave by the call's id, if the call still does
// what they saw. Otherwise the changed call waits.
func (a *Approvals) useApproval(ctx context.Context, c *entrypoint.Call, request entrypoint.Request, digest string) error {
	if digest == c.Approval.Digest {
		c.NoteApproval(c.Approval.Command)
		return c.Approval.Consume(ctx)
	}
	id, err := a.enqueue(ctx, c, request, digest)
	if err != nil {
		return err
	}
	c.Approval.OnChange(request, id)
	e := metadata.Errorf(metadata.Conflict, "the effect of this call has changed since it was shown: nothing was done, and the changed call is pending as %s", id).
		WithHint("Read it, then run `kota approve %s`.", id)
	e.Approval = id
	return e
}

// An approvedError says that the user approved the call while it ran. The call then runs
// again, because its effect may have changed while the user read.
type approvedError struct{ digest string }

func (*approvedError) Error() string {
	return "the user approved the call, but KOTA did not run it again"
}

// maxQuestionsPerCall is how often KOTA asks the user during one call. After that many
// approvals it gives up, because the call has had a different effect each time.
const maxQuestionsPerCall = 3

// Retry runs a call. If the user approves the call while it runs, Retry runs it again.
func Retry(next entrypoint.Handler) entrypoint.Handler {
	return func(ctx context.Context, c *entrypoint.Call) (any, error) {
		prepared := c.Prepared
		for range maxQuestionsPerCall {
			c.Prepared = prepared
			out, err := next(ctx, c)
			approved := (*approvedError)(nil)
			if !errors.As(err, &approved) {
				return out, err
			}
			c.ApprovedDigests = append(c.ApprovedDigests, approved.digest)
		}
		return nil, metadata.Errorf(metadata.Conflict, "the effect of the call changed after each approval: nothing was done").
			WithHint("Read the current state of what it changes, then repeat the call.")
	}
}
