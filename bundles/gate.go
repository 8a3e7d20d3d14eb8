package bundles

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"sync/atomic"

	"kota/metadata"
)

// A Draftable is the input of a call that can save a draft instead of sending. The draft
// reaches nobody. If the user's policy permits only drafts, the draft call runs instead.
type Draftable[In any] interface {
	// AsDraft returns the input of the call that saves a draft. Its effect must be at
	// most Writes; otherwise Prepare returns an error.
	AsDraft() In
}

// An Outgoing is exactly what is about to reach other people.
type Outgoing struct {
	What   string   // for people: "mail", "invitation", "unsubscription"
	People []string // every recipient address; a description in words for a recipient without an address
	Lines  []Line   // what the user is shown, complete and in order

	// ReplyTo are the addresses to which replies are requested, without those of the
	// user. A policy that allows only some recipients has to allow these addresses too.
	ReplyTo []string

	// Digest identifies the content. It is the same for the same request, although dates,
	// ids and boundaries differ each time. The zero Digest means the digest of What,
	// People and Lines.
	Digest [sha256.Size]byte

	// Tainted reports that some of the words may come from untrusted content: the session
	// that wrote them, this or an earlier one, had read such content before. Words that
	// the user has approved since do not count.
	Tainted bool

	// AllowedBefore reports that an earlier call with the same content was allowed, and is not
	// known to have failed. The user is not asked a second time.
	AllowedBefore bool
}

// A Line is one item that the user is shown: a name such as "Subject" and its text, which
// may have several lines.
type Line struct {
	Name, Text string
}

// withDigest returns o with its Digest set.
func (o Outgoing) withDigest() Outgoing {
	if o.Digest != [sha256.Size]byte{} {
		return o
	}
	text, err := json.Marshal([]any{o.What, o.People, o.Lines})
	if err != nil {
		panic(err) // only strings
	}
	o.Digest = sha256.Sum256(text)
	return o
}

// A SendPolicy decides whether the content of one call may reach other people.
type SendPolicy struct {
	Confirm func(context.Context, Outgoing) error // asks the user if the policy requires it
	Check   func(context.Context, Outgoing) error // decides the same without asking: nil if the user would be asked
}

// A sendDecision is what a SendPolicy has decided for one call.
type sendDecision struct {
	allowed  atomic.Bool // the call may reach people
	approved atomic.Bool // the user was asked and agreed
}

// WithUserConsent returns a context for what the user does without an assistant, for
// example with `kota outbox`. Nobody is asked. allow decides who may be reached: it
// returns nil, or the error for ConfirmSend and CheckSend. Every deletion is allowed.
func WithUserConsent(ctx context.Context, allow func(Outgoing) error) context.Context {
	all := func(_ context.Context, out Outgoing) error { return allow(out) }
	return with(ctx, func(e *Env) {
		e.ConfirmDestroy = func(context.Context, Deletion) error { return nil }
		e.SetSendPolicy(SendPolicy{Confirm: all, Check: all})
	})
}

// SendAllowed reports whether ConfirmSend has allowed the call in ctx to reach people.
// The code that makes the final request checks it, so that nothing leaves if a handler
// forgot to ask. In a context without a decision nothing leaves.
func SendAllowed(ctx context.Context) bool {
	d := EnvOf(ctx).sendDecision
	return d != nil && d.allowed.Load()
}

// MarkUserApproved records that the user saw the words that the call in ctx sends, and
// agreed.
func MarkUserApproved(ctx context.Context) {
	if d := EnvOf(ctx).sendDecision; d != nil {
		d.approved.Store(true)
	}
}

// UserApproved reports whether the user saw the words that the call in ctx sends, and agreed.
func UserApproved(ctx context.Context) bool {
	d := EnvOf(ctx).sendDecision
	return d != nil && d.approved.Load()
}

// ConfirmSend asks whether out may be sent. A handler calls it when all content is known,
// and before anything is sent or recorded as about to be sent. The handler need not call
// it again for what an earlier call has already sent. ConfirmSend returns nil if sending
// is allowed, and otherwise the error to return. An Outgoing without People is always
// allowed, and does not allow anything else.
func ConfirmSend(ctx context.Context, out Outgoing) error {
	if len(out.People) == 0 {
		return nil
	}
	e := EnvOf(ctx)
	if e.sendDecision == nil {
		return errNoSendPolicy()
	}
	if err := e.SendPolicy.Confirm(ctx, out.withDigest()); err != nil {
		return err
	}
	e.sendDecision.allowed.Store(true)
	return nil
}

// CheckSend returns what ConfirmSend would return for the call in ctx, for a dry run. It
// asks nobody, and returns nil if the user would be asked.
func CheckSend(ctx context.Context, out Outgoing) error {
	if len(out.People) == 0 {
		return nil
	}
	e := EnvOf(ctx)
	if e.sendDecision == nil {
		return errNoSendPolicy()
	}
	return e.SendPolicy.Check(ctx, out.withDigest())
}

// errNoSendPolicy returns the error for an attempt to send in a context without
// a SendPolicy.
func errNoSendPolicy() error {
	return metadata.Errorf(metadata.Internal, "the send cannot be confirmed, because no send policy is set: nothing was sent")
}

// MarkUntrusted records that the answer of the call in ctx contains untrusted content,
// which may be written for the model to obey. From then on the user may be asked about
// sends that the policy allows.
func MarkUntrusted(ctx context.Context) {
	if mark := EnvOf(ctx).OnUntrusted; mark != nil {
		mark()
	}
}

// HasUntrusted reports whether the session of the call in ctx has ever read untrusted
// content. What the session writes may then contain untrusted words.
func HasUntrusted(ctx context.Context) bool {
	isTainted := EnvOf(ctx).IsTainted
	return isTainted != nil && isTainted()
}

// WithScopes returns ctx for a call whose action needs these OAuth scopes.
func WithScopes(ctx context.Context, scopes []string) context.Context {
	if len(scopes) == 0 {
		return ctx
	}
	return with(ctx, func(e *Env) { e.Scopes = scopes })
}

// ScopesOf returns the OAuth scopes that the call in ctx needs. The code that opens an
// account uses them to name missing scopes before any network request.
func ScopesOf(ctx context.Context) []string {
	return EnvOf(ctx).Scopes
}
