package bundles

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"sync/atomic"

	"kota/metadata"
)

// A Draftable input can be carried out short of reaching anybody: the mail it
// would send becomes a draft. Where the user lets nothing be sent, the draft is
// what runs instead.
type Draftable[In any] interface {
	// AsDraft returns the input of the call that saves a draft. Its Effect must
	// be at most Writes; Bind holds it to that.
	AsDraft() In
}

// An Outgoing is what is about to reach other people, exactly as it will.
type Outgoing struct {
	What   string   // for people: "mail", "invitation", "unsubscription"
	People []string // every address that it reaches, and in words whoever has none
	Lines  []Line   // what the user is shown of it, whole and in order

	// Answers are the addresses, none of the user's, that it asks answers to be
	// sent to: a list of who may be reached has to admit them too.
	Answers []string

	// Digest tells its content from any other. It is the same for the same
	// request, whatever dates, ids and boundaries each time brings. The zero
	// Digest stands for that of What, People and Lines.
	Digest [sha256.Size]byte

	// Mixed says that words of it were written after text from strangers was read, in
	// whichever session, and that the user has not agreed to them since.
	Mixed bool

	// Begun says that an earlier call was let through with the same, and that it
	// is not known yet to have come to nothing: nobody is asked a second time.
	Begun bool
}

// A Line is one thing that the user is shown: a name such as "Subject" and its
// text, which may have several lines.
type Line struct {
	Name, Text string
}

// digested returns o with its Digest.
func (o Outgoing) digested() Outgoing {
	if o.Digest != [sha256.Size]byte{} {
		return o
	}
	text, err := json.Marshal([]any{o.What, o.People, o.Lines})
	if err != nil {
		panic(err) // texts alone
	}
	o.Digest = sha256.Sum256(text)
	return o
}

// A Sending decides for one call whether something may reach other people.
type Sending struct {
	May   func(context.Context, Outgoing) error // asks the user where that is the rule
	Would func(context.Context, Outgoing) error // the same without asking anybody: nil where the user would be asked
}

// A decision is what a Sending has said of one call.
type decision struct {
	let    atomic.Bool // it may reach people
	agreed atomic.Bool // the user was asked and agreed
}

// WithUserConsent returns ctx for what the user does without an assistant, as by
// `kota outbox`: nobody is asked. may says who may be reached.
func WithUserConsent(ctx context.Context, may func(Outgoing) error) context.Context {
	all := func(_ context.Context, out Outgoing) error { return may(out) }
	return with(ctx, func(e *Env) {
		e.Destroying = func(context.Context, Deletion) error { return nil }
		e.Decide(Sending{May: all, Would: all})
	})
}

// SendApproved reports whether ConfirmSend has let something of the call in ctx reach
// people, or its user's own hands are at work. It is for whoever makes the
// request in the end, so that what a handler forgot to ask about stays here: of a
// context in which nobody decides nothing leaves.
func SendApproved(ctx context.Context) bool {
	d := EnvOf(ctx).decision
	return d != nil && d.let.Load()
}

// NoteAgreed notes that the user was asked what the call in ctx sends, and agreed.
func NoteAgreed(ctx context.Context) {
	if d := EnvOf(ctx).decision; d != nil {
		d.agreed.Store(true)
	}
}

// Agreed reports whether the user agreed to what the call in ctx sends: they saw
// its words.
func Agreed(ctx context.Context) bool {
	d := EnvOf(ctx).decision
	return d != nil && d.agreed.Load()
}

// ConfirmSend asks whether that may leave. A handler asks at the one point where all
// of it is known and nothing has left or been written down as about to leave; it
// need not ask for what an earlier call has done already. It returns nil when it
// may, and else the *metadata.Error to answer. What reaches nobody always may,
// and lets nothing else through.
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

// CheckSend returns what ConfirmSend would answer to a call like the one in ctx, so
// that a dry run can tell. Nobody is asked: it is nil where the user would be.
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

// undecided is the error of what would leave outside any call.
func undecided() error {
	return metadata.Errorf(metadata.Internal, "something was to reach people where nobody decides whether it may")
}

// MarkUntrusted notes that the answer of the call in ctx has text that strangers
// wrote, who may have written it for the model to obey. Sends are asked about
// from then on, also where they are allowed.
func MarkUntrusted(ctx context.Context) {
	if tell := EnvOf(ctx).Untrusted; tell != nil {
		tell()
	}
}

// HasUntrusted reports whether text from strangers ever came into the session of
// the call in ctx: what is written down in it may be theirs.
func HasUntrusted(ctx context.Context) bool {
	came := EnvOf(ctx).IsTainted
	return came != nil && came()
}

// WithScopes returns ctx for a call of an action that needs these OAuth scopes.
func WithScopes(ctx context.Context, scopes []string) context.Context {
	if len(scopes) == 0 {
		return ctx
	}
	return with(ctx, func(e *Env) { e.Scopes = scopes })
}

// ScopesOf returns the OAuth scopes that the call in ctx needs, so that whoever
// opens an account for it can say which are missing before anything is asked
// of the network.
func ScopesOf(ctx context.Context) []string {
	return EnvOf(ctx).Scopes
}
