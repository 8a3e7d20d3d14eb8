package bundles

import (
	"context"

	"kota/metadata"
)

// An Env is a bundle's view of the current call and of the checks that decide about it.
// Bundles use it through the functions of this package that take a context. An Env does
// not change once it is in a context: the functions With… put a changed copy into the
// context that they return.
type Env struct {
	Sending    Sending                                    // decides what reaches people; the zero Sending refuses everything
	Destroying func(context.Context, Deletion) error      // decides what is destroyed; nil refuses everything
	Changing   func(ctx context.Context, items int) error // counts changes that can be undone; nil counts nothing
	Removing   Remover                                    // decides what is moved out of sight; the zero Remover allows everything
	Untrusted  func()                                     // called when the answer contains untrusted content; may be nil
	IsTainted  func() bool                                // reports whether the session has read untrusted content; nil means no
	Say        func(text string) string                   // leaves out sentences that name hidden tools; nil leaves out nothing
	OnProgress func(step string)                          // called with each step of a long call; may be nil
	OnStage    func(next *metadata.Schema)                // called with the schema of the next call of a flow; may be nil
	Scopes     []string                                   // OAuth scopes that the call needs
	Trail      any                                        // the call's changes, for the audit log; bundles do not use it
	Caller     any                                        // what carries out the call; bundles do not use it

	work     context.Context // the context of the whole call: see CallOf
	decision *decision       // the result of Sending
}

// envKey is the context key of the Env. The package has no other key.
type envKey struct{}

// EnvOf returns the Env of the call in ctx, or an empty one outside a call.
func EnvOf(ctx context.Context) *Env {
	if e, ok := ctx.Value(envKey{}).(*Env); ok {
		return e
	}
	return &noEnv
}

// noEnv is the Env of contexts outside a call.
var noEnv Env

// In returns a copy of ctx that carries e.
func (e *Env) In(ctx context.Context) context.Context {
	if e.decision == nil && (e.Sending.May != nil || e.Sending.Would != nil) {
		e.decision = &decision{}
	}
	return context.WithValue(ctx, envKey{}, e)
}

// with returns a copy of ctx whose Env is a changed copy.
func with(ctx context.Context, change func(*Env)) context.Context {
	e := *EnvOf(ctx)
	change(&e)
	return e.In(ctx)
}

// Decide makes s decide for the call. An earlier decision no longer counts.
func (e *Env) Decide(s Sending) { e.Sending, e.decision = s, &decision{} }

// Work returns a copy of ctx that carries e, and makes ctx the context of the whole call:
// see CallOf. The call ends when ctx ends.
func (e *Env) Work(ctx context.Context) context.Context {
	e.work = ctx
	return e.In(ctx)
}
