package transport

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"sync"
	"time"
)

// The limits of the sessions of an Endpoint. A SessionStore has the same.
const (
	MaxSessions = 1000
	SessionIdle = 24 * time.Hour // a session ends after this time without a request
)

// An httpSession is a session of a client over HTTP with a protocol up to 2025-11-25.
type httpSession struct {
	*conn
	principal string
	ended     chan struct{} // closed when the session ends

	// Guarded by httpSessions.mu.
	inUse        int // number of requests being served
	streams      int // how many of these requests only listen
	lastUsed     time.Time
	cancelStream context.CancelFunc // ends the listening stream; nil before the first stream
	stream       string             // the stream on which other replicas know that the client listens; "" for none
}

// httpSessions are the open sessions. They need no background work: a new session removes
// expired sessions.
type httpSessions struct {
	now func() time.Time

	mu     sync.Mutex
	closed bool
	shared bool // a SessionStore limits and ends them
	open   map[string]*httpSession

	// formerTaint is the taint of sessions that expired, were evicted, or belonged to an
	// earlier endpoint. A later session may continue such a conversation, so every later
	// session inherits this taint.
	formerTaint Taint
}

// acquire returns the principal's session with this id, or nil. The session is in use until the
// caller calls release.
func (h *httpSessions) acquire(id, principal string) *httpSession {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.open[id]
	if s == nil || s.principal != principal || h.expired(s) {
		return nil
	}
	s.inUse++
	return s
}

func (h *httpSessions) expired(s *httpSession) bool {
	return !h.shared && !h.busy(s) && h.now().Sub(s.lastUsed) > SessionIdle
}

// busy reports whether the session serves a request, or a request runs on after its client has
// disconnected.
func (h *httpSessions) busy(s *httpSession) bool { return s.inUse > 0 || s.hasPending() }

// release records that a request no longer uses the session.
func (h *httpSessions) release(s *httpSession) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s.inUse--
	s.lastUsed = h.now()
}

// add adds a session, which is then in use. It returns the sessions that it removed: expired
// sessions, and one idle session if there was no space. It returns false if all sessions are
// busy or no more may open.
func (h *httpSessions) add(s *httpSession) (evicted []*httpSession, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, false
	}
	var oldest *httpSession
	for _, other := range h.open {
		switch {
		case h.expired(other):
			evicted = append(evicted, other)
		case !h.busy(other) && (oldest == nil || other.lastUsed.Before(oldest.lastUsed)):
			oldest = other
		}
	}
	if !h.shared && len(h.open)-len(evicted) >= MaxSessions {
		if oldest == nil {
			return nil, false
		}
		evicted = append(evicted, oldest)
	}
	for _, other := range evicted {
		delete(h.open, other.id)
		h.formerTaint = h.formerTaint.join(other.session.Taint())
	}
	s.session.Inherit(h.formerTaint)
	s.inUse++
	h.open[s.id] = s
	return evicted, true
}

// remove removes a session. It reports whether the session was open.
func (h *httpSessions) remove(s *httpSession) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open[s.id] != s {
		return false
	}
	delete(h.open, s.id)
	return true
}

// close removes all sessions, refuses further sessions, and returns the conns of the removed
// sessions.
func (h *httpSessions) close() []*conn {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	var conns []*conn
	for _, s := range h.open {
		close(s.ended)
		conns = append(conns, s.conn)
	}
	clear(h.open)
	return conns
}

// inUse returns the sessions with a stream or a call, by their ids in the SessionStore.
func (h *httpSessions) inUse() map[string]*httpSession {
	h.mu.Lock()
	defer h.mu.Unlock()
	found := map[string]*httpSession{}
	for _, s := range h.open {
		if h.busy(s) {
			found[s.shared.id] = s
		}
	}
	return found
}

// removeIdle removes and returns the sessions that were not used for localIdle. It reports whether
// others are open.
func (h *httpSessions) removeIdle() (idle []*httpSession, left bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for id, s := range h.open {
		if !h.busy(s) && h.now().Sub(s.lastUsed) >= localIdle {
			delete(h.open, id)
			idle = append(idle, s)
		}
	}
	return idle, len(h.open) > 0
}

// openSession opens a session for a request. If it cannot, it answers the request and returns
// false.
func (e *Endpoint) openSession(w http.ResponseWriter, r *http.Request) (*httpSession, bool) {
	s, err := e.newSession(rand.Text(), PrincipalOf(r.Context()).Name)
	if err != nil {
		writeError(w, http.StatusInternalServerError, nil, internalError, err.Error())
		return nil, false
	}
	err = e.begin(r.Context(), s)
	if err != nil && !errors.Is(err, ErrTooManySessions) {
		s.session.Close()
		e.unavailable(w, nil, err)
		return nil, false
	}
	evicted, ok := []*httpSession(nil), false
	if err == nil {
		if evicted, ok = e.sessions.add(s); !ok && e.store != nil {
			_ = e.store.End(r.Context(), s.shared.id) // a session that stays is never used, and expires
		}
	}
	for _, other := range evicted {
		e.close(other)
	}
	if !ok {
		s.session.Close()
		w.Header().Set("Retry-After", "5")
		refuseHTTP(w, http.StatusServiceUnavailable, "the maximum number of sessions is open; try again later")
		return nil, false
	}
	return s, true
}

// findSession returns the session that a request names. If there is no such session, it answers
// the request and returns false. The session is in use until the caller calls release.
func (e *Endpoint) findSession(w http.ResponseWriter, r *http.Request, id []byte) (*httpSession, bool) {
	name := r.Header.Get(headerSession)
	if name == "" {
		writeError(w, http.StatusBadRequest, id, invalidRequest, "the header "+headerSession+" is missing: open a session with initialize, or use protocol "+firstModern)
		return nil, false
	}
	s, err := e.find(r.Context(), name, PrincipalOf(r.Context()).Name)
	if err != nil {
		e.unavailable(w, id, err)
		return nil, false
	}
	if s == nil {
		writeError(w, http.StatusNotFound, id, sessionNotFound, "there is no such session; open a new one with initialize")
		return nil, false
	}
	return s, true
}

// end handles DELETE: the client no longer needs its session.
func (e *Endpoint) end(w http.ResponseWriter, r *http.Request) {
	s, ok := e.findSession(w, r, nil)
	if !ok {
		return
	}
	defer e.sessions.release(s)
	if err := e.endSession(r.Context(), s); err != nil {
		e.unavailable(w, nil, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// endSession ends a session, on all replicas.
func (e *Endpoint) endSession(ctx context.Context, s *httpSession) error {
	if e.store != nil {
		if err := e.store.End(ctx, s.shared.id); err != nil {
			return err
		}
	}
	e.forget(s)
	return nil
}

// close ends a session that was removed, and cancels its running calls.
func (e *Endpoint) close(s *httpSession) {
	close(s.ended)
	s.drain(0, nil)
}
