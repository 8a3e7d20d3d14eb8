package entrypoint

import (
	"context"
	"crypto/rand"
	"sync/atomic"

	"kota/bundles"
)

// A session is what is remembered of one conversation: a connection of a client
// or a run of the program.
type session struct {
	name    string       // tells it from others; "" for the router's own
	foreign atomic.Bool  // text from strangers came in
	came    atomic.Int64 // in how many answers that no user had agreed to
	trusted atomic.Int64 // how many of them had come when the user was asked about a send, and agreed
	open    openQuestions
}

// A Caution is what a conversation leaves to one that may go on with it.
type Caution struct {
	Foreign   bool // text from strangers came in
	Unweighed bool // some of it since the user last agreed to a send
}

// and adds what the session in ctx leaves.
func (c Caution) and(ctx context.Context) Caution {
	s, ok := ctx.Value(sessionKey{}).(*session)
	return Caution{c.Foreign || ok && s.foreign.Load(), c.Unweighed || tainted(ctx)}
}

// Cautions are what the conversations of an endpoint leave. Which session goes on
// with which nobody can tell, so that each begins with what all have left: that its
// user agreed to a send in one says nothing of the others. What has no session is one
// conversation.
type Cautions struct{ Sessions, Sessionless Caution }

// sessionKey is the context's key of the session that a call is part of.
type sessionKey struct{}

// WithSession returns ctx for the calls of a new session, into which no text
// from strangers has come yet. The calls of a context without one share a
// session of their router's.
func WithSession(ctx context.Context) context.Context {
	return context.WithValue(ctx, sessionKey{}, &session{name: rand.Text()})
}

// sessionName tells the session in ctx from others.
func sessionName(ctx context.Context) string {
	if s, ok := ctx.Value(sessionKey{}).(*session); ok {
		return s.name
	}
	return ""
}

// tainted reports whether text from strangers came into the session in ctx that
// was not there yet when the user last agreed to a send of its.
func tainted(ctx context.Context) bool {
	s, ok := ctx.Value(sessionKey{}).(*session)
	return ok && s.came.Load() > s.trusted.Load()
}

// trust notes that the user has agreed to a send that was asked for when so much
// text from strangers had come in. What came later, while they were being asked
// too, nobody has weighed.
func (s *session) trust(came int64) {
	for {
		trusted := s.trusted.Load()
		if came <= trusted || s.trusted.CompareAndSwap(trusted, came) {
			return
		}
	}
}

// A hearing is what one call brings into its session.
type hearing struct {
	session *session
	came    int64       // into the session before the call
	foreign atomic.Bool // text from strangers is in the call's answer
	leaving atomic.Bool // and in what it sends, where the user sees it
	agreed  atomic.Bool // to that
}

// heed has the session in ctx be as careful as the other was.
func heed(ctx context.Context, c Caution) {
	s := ctx.Value(sessionKey{}).(*session)
	if c.Foreign {
		s.foreign.Store(true)
	}
	if c.Unweighed {
		s.came.Add(1)
	}
}

// hearingKey is the context's key of a call's hearing.
type hearingKey struct{}

// inSession returns ctx as part of a session, and what to do when the call is
// over: the session takes note then of the text from strangers that is in its
// answer. Until then nobody has seen it, the call's own sends included. What the
// call asks of others is part of it.
func (r *Router) inSession(ctx context.Context) (_ context.Context, over func()) {
	if _, within := ctx.Value(hearingKey{}).(*hearing); within {
		return ctx, func() {}
	}
	s, ok := ctx.Value(sessionKey{}).(*session)
	if !ok {
		s = &r.session
		ctx = context.WithValue(ctx, sessionKey{}, s)
	}
	call := &hearing{session: s, came: s.came.Load()}
	over = func() {
		came, shown := call.foreign.Load(), call.leaving.Load()
		if came || shown {
			s.foreign.Store(true)
		}
		if came || shown && !call.agreed.Load() {
			s.came.Add(1)
		}
	}
	ctx = bundles.WithForeignLeaving(context.WithValue(ctx, hearingKey{}, call), func() { call.leaving.Store(true) })
	return bundles.WithForeign(ctx, func() { call.foreign.Store(true) }, s.foreign.Load), over
}

// agreedTo notes that the user agreed to a send when the call in ctx asked about
// it, or when an earlier one did of which this brings the answer.
func agreedTo(ctx context.Context) {
	call, ok := ctx.Value(hearingKey{}).(*hearing)
	if !ok {
		return
	}
	call.agreed.Store(true)
	if state := consentsOf(ctx).state; state != "" {
		call.session.trust(call.session.open.close(state))
		return
	}
	call.session.trust(call.came)
}
