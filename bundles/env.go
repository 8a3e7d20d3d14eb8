package bundles

import (
	"context"

	"kota/metadata"
)

// An Env is what a bundle sees of the call that it works for, and of whoever
// decides about it. Bundles reach it by the functions of this package that take a
// context. It is not changed once a context has it: the functions With… put a
// changed copy into the context that they return.
type Env struct {
	Sending    Sending                                    // decides what reaches people; the zero Sending: nothing does
	Destroying func(context.Context, Deletion) error      // decides what is destroyed; nil: nothing is
	Changing   func(ctx context.Context, items int) error // counts changes that can be undone; nil: nobody does
	Removing   Remover                                    // decides what is moved out of sight; the zero Remover: all may be
	Untrusted  func()                                     // is told that text from strangers came; nil: nobody is
	IsTainted  func() bool                                // reports whether such text ever came; nil: none did
	Say        func(text string) string                   // leaves out what must not be said; nil: nothing
	OnProgress func(step string)                          // is told how the call gets on; nil: nobody is
	OnStage    func(next *metadata.Schema)                // is told what the next call of a flow takes; nil: nobody is
	Scopes     []string                                   // OAuth scopes that the call needs
	Trail      any                                        // of what it changes, for the audit log; bundles leave it alone
	Caller     any                                        // what carries out the call; bundles leave it alone

	work     context.Context // of the call as a whole: see CallOf
	decision *decision       // what Sending has said
}

// envKey is the context's key of the Env. The package has no other.
type envKey struct{}

// EnvOf returns the Env of the call in ctx, an empty one where there is none.
func EnvOf(ctx context.Context) *Env {
	if e, ok := ctx.Value(envKey{}).(*Env); ok {
		return e
	}
	return &noEnv
}

// noEnv is the Env of all contexts outside of calls.
var noEnv Env

// In returns ctx for a call in that Env.
func (e *Env) In(ctx context.Context) context.Context {
	if e.decision == nil && (e.Sending.May != nil || e.Sending.Would != nil) {
		e.decision = &decision{}
	}
	return context.WithValue(ctx, envKey{}, e)
}

// with returns ctx with a copy of its Env that change has changed.
func with(ctx context.Context, change func(*Env)) context.Context {
	e := *EnvOf(ctx)
	change(&e)
	return e.In(ctx)
}

// Decide has a Sending decide for the call. What an earlier one has said of it no
// longer counts.
func (e *Env) Decide(s Sending) { e.Sending, e.decision = s, &decision{} }

// Work returns ctx for the work of the call in that Env: it is over when ctx is.
// See CallOf.
func (e *Env) Work(ctx context.Context) context.Context {
	e.work = ctx
	return e.In(ctx)
}
