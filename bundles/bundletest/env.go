package bundletest

import (
	"context"

	"kota/bundles"
)

// WithUserConsent returns ctx for a call to whose effects the user has agreed: all
// of it may leave, and be destroyed.
func WithUserConsent(ctx context.Context) context.Context {
	ctx = bundles.WithUserConsent(ctx, func(bundles.Outgoing) error { return nil })
	if err := bundles.ConfirmSend(ctx, bundles.Outgoing{People: []string{"anybody"}}); err != nil {
		panic(err)
	}
	bundles.NoteAgreed(ctx)
	return ctx
}

// WithSending returns ctx for a call for which s decides what reaches people.
func WithSending(ctx context.Context, s bundles.Sending) context.Context {
	return with(ctx, func(e *bundles.Env) { e.Decide(s) })
}

// WithDestroying returns ctx for a call for which may decides what is destroyed.
func WithDestroying(ctx context.Context, may func(context.Context, bundles.Deletion) error) context.Context {
	return with(ctx, func(e *bundles.Env) { e.Destroying = may })
}

// WithUntrusted returns ctx for a session: tell is called when untrusted text comes
// into it, and came reports whether any ever did.
func WithUntrusted(ctx context.Context, tell func(), came func() bool) context.Context {
	return with(ctx, func(e *bundles.Env) { e.Untrusted, e.IsTainted = tell, came })
}

// WithRemover returns ctx for a call whose removals r decides about.
func WithRemover(ctx context.Context, r bundles.Remover) context.Context {
	return with(ctx, func(e *bundles.Env) { e.Removing = r })
}

func with(ctx context.Context, change func(*bundles.Env)) context.Context {
	e := *bundles.EnvOf(ctx)
	change(&e)
	return e.In(ctx)
}
