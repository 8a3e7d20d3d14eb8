package entrypoint

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"sync/atomic"
	"time"

	"kota/bundles"
)

// tainted reports whether text from strangers came into the session in ctx. An
// approval does not end that: the text may ask for more.
func tainted(ctx context.Context) bool {
	s, ok := ctx.Value(sessionKey{}).(*session)
	return ok && s.foreign.Load()
}

// A Taint is what a conversation passes on to those that may continue it.
type Taint struct {
	Tainted bool      // text from strangers came into it
	Began   time.Time // when it began; people it reached are not known by that. Zero unless Tainted
}

// taintOf returns the taint of the session in ctx.
func taintOf(ctx context.Context) Taint {
	if !tainted(ctx) {
		return Taint{}
	}
	return Taint{Tainted: true, Began: sessionBegan(ctx)}
}

// join returns the taint of a conversation that may continue either.
func (t Taint) join(other Taint) Taint {
	if !t.Tainted || other.Tainted && other.Began.Before(t.Began) {
		return other
	}
	return t
}

// inheritTaint passes a taint on to the session in ctx.
func inheritTaint(ctx context.Context, t Taint) {
	if !t.Tainted {
		return
	}
	s := ctx.Value(sessionKey{}).(*session)
	s.foreign.Store(true)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.began.IsZero() || t.Began.Before(s.began) {
		s.began = t.Began
	}
}

// Cautions are the taints of the conversations of an endpoint. Nobody can tell
// which session continues which, so each new one inherits from all. Calls without
// a session are one conversation.
type Cautions struct{ Sessions, Sessionless Taint }

// callTaint is the context's key of a call within which others are made.
type callTaint struct{}

// inSession returns ctx as part of a session, and what to do when the call is
// over: the session takes note then of the text from strangers that is in its
// answer. Until then nobody has seen it, the call's own sends included. What the
// call asks of others is part of it. Where the user switched taint off, the bundles
// hear of none, and note what is written down as the user's own.
func (r *Router) inSession(ctx context.Context) (_ context.Context, over func()) {
	if within := ctx.Value(callTaint{}); within != nil {
		return ctx, func() {}
	}
	s, ok := ctx.Value(sessionKey{}).(*session)
	if !ok {
		s = &r.session
		ctx = context.WithValue(ctx, sessionKey{}, s)
	}
	s.begin(r.now())
	came := &atomic.Bool{}
	over = func() {
		if came.Load() {
			s.foreign.Store(true)
		}
	}
	return bundles.WithForeign(context.WithValue(ctx, callTaint{}, came), func() { came.Store(true) }, func() bool { return r.policy.Taint && s.foreign.Load() }), over
}

// hasProvenance reports whether an answer has an item whose words are said not to
// be the user's own, but for what the answer is about as a whole: that was sent,
// and its user has seen it.
func hasProvenance(answer json.RawMessage) bool {
	decoder := json.NewDecoder(bytes.NewReader(answer))
	depth := 0
	for {
		token, err := decoder.Token()
		switch {
		case err == io.EOF:
			return false
		case err != nil || token == "provenance" && depth > 1:
			return true
		case token == json.Delim('{') || token == json.Delim('['):
			depth++
		case token == json.Delim('}') || token == json.Delim(']'):
			depth--
		}
	}
}
