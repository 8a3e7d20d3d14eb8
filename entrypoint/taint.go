package entrypoint

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"time"
)

// tainted reports whether text from strangers came into the session in ctx. An
// approval does not end that: the text may ask for more.
func tainted(ctx context.Context) bool {
	s := sessionIn(ctx)
	return s != nil && s.foreign.Load()
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
