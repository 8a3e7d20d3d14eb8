package bundletest

import (
	"context"

	"kota/bundles"
)

// WithUserConsent returns a context for a call whose effects the user has approved: it
// may send and destroy everything.
func WithUserConsent(ctx context.Context) context.Context {
	ctx = bundles.WithUserConsent(ctx, func(bundles.Outgoing) error { return nil })
	if err := bundles.ConfirmSend(ctx, bundles.Outgoing{People: []string{"anybody"}}); err != nil {
		panic(err)
	}
	bundles.NoteAgreed(ctx)
	return ctx
}

// WithSending returns a context for a call in which s decides what reaches people.
func WithSending(ctx context.Context, s bundles.Sending) context.Context {
	return with(ctx, func(e *bundles.Env) { e.Decide(s) })
}

// WithDestroying returns a context for a call in which may decides what is destroyed.
func WithDestroying(ctx context.Context, may func(context.Context, bundles.Deletion) error) context.Context {
	return with(ctx, func(e *bundles.Env) { e.Destroying = may })
}

// WithUntrusted returns a context for a session. The call uses tell to report untrusted
// content, and came to ask whether the session has read any.
func WithUntrusted(ctx context.Context, tell func(), came func() bool) context.Context {
	return with(ctx, func(e *bundles.Env) { e.Untrusted, e.IsTainted = tell, came })
}

// WithRemover returns a context for a call in which r decides about removals.
func WithRemover(ctx context.Context, r bundles.Remover) context.Context {
	return with(ctx, func(e *bundles.Env) { e.Removing = r })
}

func with(ctx context.Context, change func(*bundles.Env)) context.Context {
	e := *bundles.EnvOf(ctx)
	change(&e)
	return e.In(ctx)
}
