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
	s, ok := ctx.Value(sessionKey{}).(*Session)
	return ok && s.foreign.Load()
}

// Tainted reports whether untrusted text came into the session, and when the
// conversation began: people it reached are not known by that.
func (s *Session) Tainted() (began time.Time, tainted bool) {
	if !s.foreign.Load() {
		return time.Time{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.began, true
}

// InheritTaint has the session continue a tainted conversation that began then.
func (s *Session) InheritTaint(began time.Time) {
	s.foreign.Store(true)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.began.IsZero() || began.Before(s.began) {
		s.began = began
	}
}

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
	s, ok := ctx.Value(sessionKey{}).(*Session)
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
