package bundles

import (
	"context"

	"kota/metadata"
)

// An Env is a bundle's view of the current call and of the checks that limit it.
// Bundles use it through the functions of this package that take a context. An Env does
// not change once it is in a context: functions such as WithScopes put a changed copy
// into the context that they return.
type Env struct {
	SendPolicy         SendPolicy                                             // decides what reaches people; the zero SendPolicy refuses everything
	ConfirmDestroy     func(context.Context, Deletion) error                  // decides what is destroyed; nil refuses everything
	CountChanges       func(ctx context.Context, items int) error             // counts changes that can be undone; nil counts nothing
	RemovalPolicy      RemovalPolicy                                          // decides what is moved out of sight; the zero RemovalPolicy allows everything
	OnUntrusted        func()                                                 // called when the answer contains untrusted content; may be nil
	IsTainted          func() bool                                            // reports whether the session has read untrusted content; nil means no
	WithoutHiddenTools func(text string) string                               // leaves out sentences that name hidden tools; nil leaves out nothing
	OnProgress         func(step string)                                      // called with each step of a long call; may be nil
	OnStage            func(next *metadata.Schema)                            // called with the schema for the next call of a staged action (nil: its usual schema); may be nil
	Scopes             []string                                               // OAuth scopes that the call needs
	AuditTrail         any                                                    // the call's changes, for the audit log; bundles do not use it
	FindPeople         func(ctx context.Context, name string) (People, error) // finds people by name; nil finds nobody
	Caller             any                                                    // the *entrypoint.Call; bundles do not use it

	callContext  context.Context // the context of the whole call: see CallContext; nil outside a call
	sendDecision *sendDecision   // what SendPolicy has decided; nil without a SendPolicy
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

// NewContext returns a copy of ctx that carries e.
func (e *Env) NewContext(ctx context.Context) context.Context {
	if e.sendDecision == nil && (e.SendPolicy.Confirm != nil || e.SendPolicy.Check != nil) {
		e.sendDecision = &sendDecision{}
	}
	return context.WithValue(ctx, envKey{}, e)
}

// with returns a copy of ctx whose Env is a changed copy.
func with(ctx context.Context, change func(*Env)) context.Context {
	e := *EnvOf(ctx)
	change(&e)
	return e.NewContext(ctx)
}

// SetSendPolicy makes s decide for the call. An earlier decision no longer counts.
func (e *Env) SetSendPolicy(s SendPolicy) { e.SendPolicy, e.sendDecision = s, &sendDecision{} }

// NewCallContext returns a copy of ctx that carries e, and makes ctx the context of the whole call:
// see CallContext. The call ends when ctx ends.
func (e *Env) NewCallContext(ctx context.Context) context.Context {
	e.callContext = ctx
	return e.NewContext(ctx)
}
