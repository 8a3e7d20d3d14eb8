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
	bundles.MarkUserApproved(ctx)
	return ctx
}

// WithSendPolicy returns a context for a call in which s decides what reaches people.
func WithSendPolicy(ctx context.Context, s bundles.SendPolicy) context.Context {
	return with(ctx, func(e *bundles.Env) { e.SetSendPolicy(s) })
}

// WithConfirmDestroy returns a context for a call in which confirm decides what is
// destroyed.
func WithConfirmDestroy(ctx context.Context, confirm func(context.Context, bundles.Deletion) error) context.Context {
	return with(ctx, func(e *bundles.Env) { e.ConfirmDestroy = confirm })
}

// WithUntrusted returns a context for a session. The call uses mark to report untrusted
// content, and isTainted to ask whether the session has read any.
func WithUntrusted(ctx context.Context, mark func(), isTainted func() bool) context.Context {
	return with(ctx, func(e *bundles.Env) { e.OnUntrusted, e.IsTainted = mark, isTainted })
}

// WithRemovalPolicy returns a context for a call in which r decides about removals.
func WithRemovalPolicy(ctx context.Context, r bundles.RemovalPolicy) context.Context {
	return with(ctx, func(e *bundles.Env) { e.RemovalPolicy = r })
}

func with(ctx context.Context, change func(*bundles.Env)) context.Context {
	e := *bundles.EnvOf(ctx)
	change(&e)
	return e.NewContext(ctx)
}

// WithPeople returns a context for a call in which find finds people by name.
func WithPeople(ctx context.Context, find func(ctx context.Context, name string) (bundles.People, error)) context.Context {
	return with(ctx, func(e *bundles.Env) { e.FindPeople = find })
}
