package entrypoint

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"kota/metadata"
)

// Approvals asks the user whether a Request may happen, in the way that the call
// came: on a terminal, through an MCP client that says it can ask (elicitation),
// or by letting the call wait until `kota approve` is run. Nothing that a call
// carries among its arguments counts as the user's word.
type Approvals struct {
	Owner    string // whose calls these are; a consent of another's is none
	Rows     ApprovalRows
	Sealer   Sealer
	Terminal func(context.Context, Request) error // asks there; nil where nobody sits at one
	Client   FormClient                           // shows questions through the clients of calls; nil: they wait
	Patience time.Duration                        // how long a client is waited for; 0 means two minutes
	Now      func() time.Time

	open atomic.Int64 // questions that a client was asked and has not answered
}

// ApprovalRows is where calls wait and consents are counted. Its errors are
// *metadata.Errors.
type ApprovalRows interface {
	// Park keeps a call until the user agrees to it, and returns the id that the
	// user names it by: the same for the same Waiting.Digest.
	Park(context.Context, Waiting) (id string, err error)
	// Spend makes use of a consent that is good until expires. It reports whether
	// it was the first to.
	Spend(ctx context.Context, nonce string, expires time.Time) (first bool, err error)
	// Told returns what became of a call that waited, by Waiting.Call, once. It is
	// nil where there is nothing to tell.
	Told(ctx context.Context, call string) (*Settled, error)
}

// A Sealer encrypts what only KOTA may read again, and binds it to a context.
type Sealer interface {
	Seal(plain, context []byte) ([]byte, error)
	Open(sealed, context []byte) ([]byte, error)
}

// A Waiting is a call that waits for the user.
type Waiting struct {
	Call    string // the same for the same call
	Digest  string // the same for the same call that would do the same
	Tool    string
	Effect  metadata.Effect
	Args    json.RawMessage
	Shown   Shown
	Because string
	Session string // names the conversation it came from; "" for the command line
}

// A Settled is what became of a call that waited.
type Settled struct {
	ID       string
	At       time.Time
	Outcome  json.RawMessage // what was answered
	Err      *metadata.Error // instead: it failed, was rejected or is being carried out
	Rejected bool            // the user said no; in every other case they approved it
}

const patience = 2 * time.Minute

// mostQuestions is how many questions a client is asked at once: who faces more answers
// none. What comes beyond waits for `kota approve`.
const mostQuestions = 32

// Approve is for Options.Approve. It answers nil when the user has agreed to
// this very Request, REFUSED when the user said no, and APPROVAL_REQUIRED when
// the call waits.
func (a *Approvals) Approve(ctx context.Context, asked Request) error {
	digest := asked.Digest(a.Owner)
	c := callOf(ctx)
	switch {
	case c != nil && slices.Contains(c.agreed, digest):
		return nil
	case c.approved():
		return c.Approval.use(ctx, a, asked, digest)
	case a.Terminal != nil:
		if err := a.Terminal(ctx, asked); err != nil {
			return err
		}
		NoteApproval(ctx, "terminal")
		return &errApproved{digest}
	case c != nil && c.Answer != nil:
		return a.redeemAnswer(ctx, c.Answer, asked, digest)
	}
	asked.Refused = refusals(ctx, a.Now())
	if len(asked.Refused) >= mostRefusals {
		return a.park(ctx, asked, digest)
	}
	return a.askClient(ctx, asked, digest)
}

// park lets the call wait, and answers so.
func (a *Approvals) park(ctx context.Context, asked Request, digest string) error {
	asked.Refused = refusals(ctx, a.Now()) // one may have come while the user was asked
	id, err := a.Rows.Park(ctx, asked.waiting(ctx, a.Owner, digest))
	if err != nil {
		return err
	}
	if len(asked.Refused) >= mostRefusals {
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
	if callOf(ctx).byCommand() {
		how = "Whoever is to agree runs `kota approve %s` on a terminal, which shows all of it and asks."
	}
	e := metadata.Errorf(metadata.ApprovalNeeded, "the user must agree to this call of %s first; nothing was done, and it waits as %s", asked.Action.Tool, id).
		WithHint(how+" After that the same call answers its outcome.%s", id, draft)
	e.Approval = id
	return e
}

func (r Request) waiting(ctx context.Context, owner, digest string) Waiting {
	return Waiting{
		Call: r.call(owner), Digest: digest, Tool: r.Action.Tool, Effect: r.Effect,
		Args: r.Args, Shown: r.Show(), Because: r.Because, Session: sessionName(ctx),
	}
}

// An errApproved says that the user has agreed while the call waited. It is done
// again then: what it would do may have changed while they read.
type errApproved struct{ digest string }

func (*errApproved) Error() string { return "the user has agreed, and the call was not done anew" }

// mostAsked is how often the user is asked about one call before it is given up:
// what it would do changes all the time.
const mostAsked = 3

// retryAfterApproval does a call, and does it again each time that the user was
// asked during it and agreed.
func retryAfterApproval(next Handler) Handler {
	return func(ctx context.Context, c *Call) (any, error) {
		prepared := c.Prepared
		for range mostAsked {
			c.Prepared = prepared
			out, err := next(ctx, c)
			yes := (*errApproved)(nil)
			if !errors.As(err, &yes) {
				return out, err
			}
			c.agreed = append(c.agreed, yes.digest)
		}
		return nil, metadata.Errorf(metadata.Conflict, "what the call would do changed each time the user had agreed to it: nothing was done").
			WithHint("Read again what it is about, then repeat the call.")
	}
}
