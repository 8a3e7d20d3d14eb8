package bundles

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"sync/atomic"

	"kota/metadata"
)

// A Draftable input can be carried out without reaching anybody: the mail becomes a
// draft. If the user's policy forbids sending, the draft call runs instead.
type Draftable[In any] interface {
	// AsDraft returns the input of the call that saves a draft. Its Effect must be at
	// most Writes; Bind enforces this.
	AsDraft() In
}

// An Outgoing is exactly what is about to reach other people.
type Outgoing struct {
	What   string   // for people: "mail", "invitation", "unsubscription"
	People []string // every recipient address; a description in words for a recipient without an address
	Lines  []Line   // what the user is shown, complete and in order

	// Answers are the addresses, without the user's own, that replies are requested to. A
	// recipient list has to allow them too.
	Answers []string

	// Digest identifies the content. It is the same for the same request, although dates,
	// ids and boundaries differ each time. The zero Digest means the digest of What,
	// People and Lines.
	Digest [sha256.Size]byte

	// Mixed reports that some of its words were written after a session had read
	// untrusted content, and that the user has not approved them since. Any session
	// counts.
	Mixed bool

	// Begun reports that an earlier call with the same content was allowed, and is not
	// known to have failed. The user is not asked a second time.
	Begun bool
}

// A Line is one item that the user is shown: a name such as "Subject" and its text, which
// may have several lines.
type Line struct {
	Name, Text string
}

// digested returns o with its Digest set.
func (o Outgoing) digested() Outgoing {
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

// A Sending decides whether the content of one call may reach other people.
type Sending struct {
	May   func(context.Context, Outgoing) error // asks the user if the policy requires it
	Would func(context.Context, Outgoing) error // decides the same without asking: nil if the user would be asked
}

// A decision is the result of a Sending for one call.
type decision struct {
	let    atomic.Bool // the call may reach people
	agreed atomic.Bool // the user was asked and agreed
}

// WithUserConsent returns a context for what the user does without an assistant, for
// example with `kota outbox`. Nobody is asked. may decides who may be reached.
func WithUserConsent(ctx context.Context, may func(Outgoing) error) context.Context {
	all := func(_ context.Context, out Outgoing) error { return may(out) }
	return with(ctx, func(e *Env) {
		e.Destroying = func(context.Context, Deletion) error { return nil }
		e.Decide(Sending{May: all, Would: all})
	})
}

// SendApproved reports whether ConfirmSend has allowed the call in ctx to reach people,
// or the user acts without an assistant. The code that makes the final request checks it,
// so that nothing leaves if a handler forgot to ask. In a context without a decision
// nothing leaves.
func SendApproved(ctx context.Context) bool {
	d := EnvOf(ctx).decision
	return d != nil && d.let.Load()
}

// NoteAgreed records that the user was asked about what the call in ctx sends, and
// agreed.
func NoteAgreed(ctx context.Context) {
	if d := EnvOf(ctx).decision; d != nil {
		d.agreed.Store(true)
	}
}

// Agreed reports whether the user saw the words that the call in ctx sends, and agreed.
func Agreed(ctx context.Context) bool {
	d := EnvOf(ctx).decision
	return d != nil && d.agreed.Load()
}

// ConfirmSend asks whether out may be sent. A handler asks when all content is known, and
// before anything is sent or recorded as about to be sent. It need not ask again for what
// an earlier call has already sent. ConfirmSend returns nil if sending is allowed, and
// otherwise the *metadata.Error to return. An Outgoing without People is always allowed,
// and does not allow anything else.
func ConfirmSend(ctx context.Context, out Outgoing) error {
	if len(out.People) == 0 {
		return nil
	}
	e := EnvOf(ctx)
	if e.decision == nil {
		return undecided()
	}
	if err := e.Sending.May(ctx, out.digested()); err != nil {
		return err
	}
	e.decision.let.Store(true)
	return nil
}

// CheckSend returns what ConfirmSend would return for the call in ctx, for a dry run. It
// asks nobody, and returns nil if the user would be asked.
func CheckSend(ctx context.Context, out Outgoing) error {
	if len(out.People) == 0 {
		return nil
	}
	e := EnvOf(ctx)
	if e.decision == nil {
		return undecided()
	}
	return e.Sending.Would(ctx, out.digested())
}

// undecided is the error for an attempt to send outside any call.
func undecided() error {
	return metadata.Errorf(metadata.Internal, "something was to reach people where nobody decides whether it may")
}

// MarkUntrusted records that the answer of the call in ctx contains untrusted content,
// which may be written for the model to obey. From then on the user is asked about sends,
// also where the policy allows them.
func MarkUntrusted(ctx context.Context) {
	if tell := EnvOf(ctx).Untrusted; tell != nil {
		tell()
	}
}

// HasUntrusted reports whether the session of the call in ctx has ever read untrusted
// content. What the session writes may then contain untrusted words.
func HasUntrusted(ctx context.Context) bool {
	came := EnvOf(ctx).IsTainted
	return came != nil && came()
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
