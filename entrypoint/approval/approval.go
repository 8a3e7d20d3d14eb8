// Package approval asks the user whether calls may do what sends, destroys or removes,
// and keeps the calls that wait for the answer. Nothing that a call carries among its
// arguments counts as the user's word; a yes covers what was shown and nothing else,
// once. Start with Approvals.Approve.
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

// Approvals asks the user whether a Request may happen, in the way that the call
// came: on a terminal, through an MCP client that says it can ask (elicitation),
// or by letting the call wait until `kota approve` is run.
type Approvals struct {
	Owner    string // whose calls these are; a consent of another's is none
	Pending  Queue
	Sealer   Sealer
	Terminal func(context.Context, entrypoint.Request) error // asks there; nil where nobody sits at one
	Client   FormClient                                      // shows questions through the clients of calls; nil: they wait
	Patience time.Duration                                   // how long a client is waited for; 0 means two minutes
	Now      func() time.Time

	open atomic.Int64 // questions that a client was asked and has not answered
}

// A Queue is where calls wait and answers are used once. Its errors are
// *metadata.Errors.
type Queue interface {
	// Enqueue keeps a call until the user agrees to it, and returns the id that the
	// user names it by: the same for the same PendingCall.Digest.
	Enqueue(context.Context, PendingCall) (id string, err error)
	// ConsumeNonce makes use of an answer that is good until expires. It reports
	// whether it was the first to.
	ConsumeNonce(ctx context.Context, nonce string, expires time.Time) (first bool, err error)
	// TakeOutcome returns what became of a call that waited, by PendingCall.Call,
	// once. It is nil where there is nothing to tell.
	TakeOutcome(ctx context.Context, call string) (*Outcome, error)
}

// A Sealer encrypts what only KOTA may read again, and binds it to a context.
type Sealer interface {
	Seal(plain, context []byte) ([]byte, error)
	Open(sealed, context []byte) ([]byte, error)
}

// A PendingCall is a call that waits for the user.
type PendingCall struct {
	Call    string // the same for the same call
	Digest  string // the same for the same call that would do the same
	Tool    string
	Effect  metadata.Effect
	Args    json.RawMessage
	Shown   Shown
	Because string
	Session string // names the conversation it came from; "" for the command line
}

// An Outcome is what became of a call that waited.
type Outcome struct {
	ID       string
	At       time.Time
	Answer   json.RawMessage // what was answered
	Err      *metadata.Error // instead: it failed, was rejected or is being carried out
	Rejected bool            // the user said no; in every other case they approved it
}

const patience = 2 * time.Minute

// maxQuestions is how many questions a client is asked at once: who faces more answers
// none. What comes beyond waits for `kota approve`.
const maxQuestions = 32

// Approve answers nil when the user has agreed to this very Request of the call,
// REFUSED when the user said no, and APPROVAL_REQUIRED when the call waits.
func (a *Approvals) Approve(ctx context.Context, c *entrypoint.Call, asked entrypoint.Request) error {
	digest := Digest(asked, a.Owner)
	switch {
	case slices.Contains(c.Agreed, digest):
		return nil
	case c.Approval != nil:
		return a.useApproval(ctx, c, asked, digest)
	case a.Terminal != nil:
		if err := a.Terminal(ctx, asked); err != nil {
			return err
		}
		c.NoteApproval("terminal")
		return &errApproved{digest}
	case c.Answer != nil:
		return a.redeemAnswer(ctx, c, asked, digest)
	}
	asked.Refused = c.Session.Refusals(a.Now())
	if len(asked.Refused) >= entrypoint.MaxRefusals {
		return a.wait(ctx, c, asked, digest)
	}
	return a.askClient(ctx, c, asked, digest)
}

// wait lets the call wait, and answers so.
func (a *Approvals) wait(ctx context.Context, c *entrypoint.Call, asked entrypoint.Request, digest string) error {
	asked.Refused = c.Session.Refusals(a.Now()) // one may have come while the user was asked
	id, err := a.enqueue(ctx, c, asked, digest)
	if err != nil {
		return err
	}
	if len(asked.Refused) >= entrypoint.MaxRefusals {
		e := metadata.Errorf(metadata.Refused, "the user %s, and was not asked about this call of %s: nothing was done, and it waits as %s", saidNo(asked.Refused), asked.Action.Tool, id).
			WithHint("Do not repeat it. Ask in words what they would like; `kota pending` shows what waits, and `kota approve %s` does this. After that the same call answers its outcome, and KOTA asks again.", id)
		e.Approval = id
		return e
	}
	draft := ""
	if asked.Effect == metadata.Sends && asked.Action.HasParam(metadata.AsDraft) {
		draft = " With as_draft true it is saved as a draft at once."
	}
	how := "Tell the user to run `kota approve %s`, which shows all of it and asks them."
	if c.Channel == entrypoint.ByCLI {
		how = "Whoever is to agree runs `kota approve %s` on a terminal, which shows all of it and asks."
	}
	e := metadata.Errorf(metadata.ApprovalNeeded, "the user must agree to this call of %s first; nothing was done, and it waits as %s", asked.Action.Tool, id).
		WithHint(how+" After that the same call answers its outcome.%s", id, draft)
	e.Approval = id
	return e
}

func (a *Approvals) enqueue(ctx context.Context, c *entrypoint.Call, asked entrypoint.Request, digest string) (id string, err error) {
	return a.Pending.Enqueue(ctx, PendingCall{
		Call: callID(asked, a.Owner), Digest: digest, Tool: asked.Action.Tool, Effect: asked.Effect,
		Args: asked.Args, Shown: Show(asked), Because: asked.Because, Session: c.Session.Name,
	})
}

// useApproval does what the user has approved by its id, if it is what they were
// shown; else that waits.
func (a *Approvals) useApproval(ctx context.Context, c *entrypoint.Call, asked entrypoint.Request, digest string) error {
	if digest == c.Approval.Digest {
		c.NoteApproval(c.Approval.How)
		return c.Approval.Spend(ctx)
	}
	id, err := a.enqueue(ctx, c, asked, digest)
	if err != nil {
		return err
	}
	c.Approval.Changed(asked, id)
	e := metadata.Errorf(metadata.Conflict, "this would do something else by now than what was shown: nothing was done, and it waits as %s", id).
		WithHint("Read it, then run `kota approve %s`.", id)
	e.Approval = id
	return e
}

// An errApproved says that the user has agreed while the call waited. It is done
// again then: what it would do may have changed while they read.
type errApproved struct{ digest string }

func (*errApproved) Error() string { return "the user has agreed, and the call was not done anew" }

// maxAsked is how often the user is asked about one call before it is given up:
// what it would do changes all the time.
const maxAsked = 3

// Retry does a call, and does it again each time that the user was asked during it
// and agreed.
func Retry(next entrypoint.Handler) entrypoint.Handler {
	return func(ctx context.Context, c *entrypoint.Call) (any, error) {
		prepared := c.Prepared
		for range maxAsked {
			c.Prepared = prepared
			out, err := next(ctx, c)
			yes := (*errApproved)(nil)
			if !errors.As(err, &yes) {
				return out, err
			}
			c.Agreed = append(c.Agreed, yes.digest)
		}
		return nil, metadata.Errorf(metadata.Conflict, "what the call would do changed each time the user had agreed to it: nothing was done").
			WithHint("Read again what it is about, then repeat the call.")
	}
}
