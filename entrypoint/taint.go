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

// inSession returns ctx as part of a session, which takes note of the text that
// comes from strangers.
func (r *Router) inSession(ctx context.Context) context.Context {
	s, ok := ctx.Value(sessionKey{}).(*session)
	if !ok {
		s = &r.session
		ctx = context.WithValue(ctx, sessionKey{}, s)
	}
	return bundles.WithForeign(ctx, func() { s.tainted.Store(true) })
}
