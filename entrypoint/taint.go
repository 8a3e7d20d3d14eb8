package entrypoint

import (
	"context"
	"sync/atomic"

	"kota/bundles"
)

// A session is what is remembered of one conversation: a connection of a client
// or a run of the program.
type session struct {
	tainted atomic.Bool // text from strangers came in, and the user has agreed to nothing since
	foreign atomic.Bool // text from strangers came in
}

// sessionKey is the context's key of the session that a call is part of.
type sessionKey struct{}

// WithSession returns ctx for the calls of a new session, into which no text
// from strangers has come yet. The calls of a context without one share a
// session of their router's.
func WithSession(ctx context.Context) context.Context {
	return context.WithValue(ctx, sessionKey{}, &session{})
}

// Trust notes that the user has agreed to what the session in ctx asked for, so
// that sends which are allowed go on without a question until text from strangers
// comes in again.
func Trust(ctx context.Context) {
	if s, ok := ctx.Value(sessionKey{}).(*session); ok {
		s.tainted.Store(false)
	}
}

// tainted reports whether text from strangers came into the session in ctx since
// the user last agreed to something there.
func tainted(ctx context.Context) bool {
	s, ok := ctx.Value(sessionKey{}).(*session)
	return ok && s.tainted.Load()
}

// callKey is the context's key of whether the call it is of shows text that comes
// from strangers.
type callKey struct{}

// inSession returns ctx as part of a session, and what to do when the call is
// over: the session takes note then of the text from strangers that is in its
// answer. Until then nobody has seen it, the call's own sends included. What the
// call asks of others is part of it.
func (r *Router) inSession(ctx context.Context) (_ context.Context, over func()) {
	if _, within := ctx.Value(callKey{}).(*atomic.Bool); within {
		return ctx, func() {}
	}
	s, ok := ctx.Value(sessionKey{}).(*session)
	if !ok {
		s = &r.session
		ctx = context.WithValue(ctx, sessionKey{}, s)
	}
	foreign := &atomic.Bool{}
	over = func() {
		if foreign.Load() {
			s.tainted.Store(true)
			s.foreign.Store(true)
		}
	}
	ctx = context.WithValue(ctx, callKey{}, foreign)
	return bundles.WithForeign(ctx, func() { foreign.Store(true) }, s.foreign.Load), over
}
