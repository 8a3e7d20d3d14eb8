package transport

import (
	"context"
	"crypto/rand"
	"net/http"
	"sync"
	"time"
)

const (
	maxSessions = 1000
	sessionIdle = 24 * time.Hour // a session ends after this time without a request
)

// A webSession is a client of a protocol up to 2025-11-25 over HTTP.
type webSession struct {
	*conn
	principal string
	over      chan struct{} // closed when it ends

	// Guarded by webSessions.mu.
	inUse     int // requests being served
	streams   int // requests of these that only listen
	last      time.Time
	listening context.CancelFunc // ends the stream that listens; nil before the first one
}

// webSessions are the open sessions. They need no background work: expired ones are
// removed when another begins.
type webSessions struct {
	now func() time.Time

	mu     sync.Mutex
	closed bool
	open   map[string]*webSession

	// forgotten is the taint of sessions that expired, were evicted, or belonged to an
	// earlier endpoint. A later session may continue such a conversation, so each one
	// inherits it.
	forgotten Taint
}

// find returns the principal's session with that id, or nil. It is in use until leave is called.
func (all *webSessions) find(id, principal string) *webSession {
	all.mu.Lock()
	defer all.mu.Unlock()
	s := all.open[id]
	if s == nil || s.principal != principal || all.expired(s) {
		return nil
	}
	s.inUse++
	return s
}

func (all *webSessions) expired(s *webSession) bool {
	return !all.busy(s) && all.now().Sub(s.last) > sessionIdle
}

// busy reports whether the session serves a request, or a request runs on without its client.
func (all *webSessions) busy(s *webSession) bool { return s.inUse > 0 || s.owes() }

// take returns a context for the new listening stream and ends the earlier one. A client
// that listens again has lost the earlier stream, which would still consume notifications.
func (all *webSessions) take(ctx context.Context, s *webSession) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	all.mu.Lock()
	defer all.mu.Unlock()
	if s.listening != nil {
		s.listening()
	}
	s.listening = cancel
	s.streams++
	return ctx
}

// drop records that a stream of the session has ended.
func (all *webSessions) drop(s *webSession) {
	all.mu.Lock()
	defer all.mu.Unlock()
	s.streams--
}

// leave records that a request no longer uses the session.
func (all *webSessions) leave(s *webSession) {
	all.mu.Lock()
	defer all.mu.Unlock()
	s.inUse--
	s.last = all.now()
}

// add adds a session, which is then in use. It returns the sessions that it evicted. It
// reports false if no session can be evicted.
func (all *webSessions) add(s *webSession) (evicted []*webSession, ok bool) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.closed {
		return nil, false
	}
	var oldest *webSession
	for _, other := range all.open {
		switch {
		case all.expired(other):
			evicted = append(evicted, other)
		case !all.busy(other) && (oldest == nil || other.last.Before(oldest.last)):
			oldest = other
		}
	}
	if len(all.open)-len(evicted) >= maxSessions {
		if oldest == nil {
			return nil, false
		}
		evicted = append(evicted, oldest)
	}
	for _, other := range evicted {
		delete(all.open, other.id)
		all.forgotten = all.forgotten.join(other.session.Taint())
	}
	s.session.Inherit(all.forgotten)
	s.inUse++
	all.open[s.id] = s
	return evicted, true
}

// remove removes a session. It reports whether the session was open.
func (all *webSessions) remove(s *webSession) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	_, there := all.open[s.id]
	delete(all.open, s.id)
	return there
}

// close refuses further sessions and returns the open ones.
func (all *webSessions) close() []*conn {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.closed = true
	var conns []*conn
	for _, s := range all.open {
		close(s.over)
		conns = append(conns, s.conn)
	}
	clear(all.open)
	return conns
}

// openSession opens a session for a request. If it cannot, it answers the request.
func (e *Endpoint) openSession(w http.ResponseWriter, r *http.Request) (*webSession, bool) {
	c, err := newConn(e.ctx, e.handler, e.log, rand.Text())
	if err != nil {
		writeError(w, http.StatusInternalServerError, nil, internalError, err.Error())
		return nil, false
	}
	s := &webSession{conn: c, principal: PrincipalOf(r.Context()).Name, over: make(chan struct{}), last: e.sessions.now()}
	evicted, ok := e.sessions.add(s)
	for _, other := range evicted {
		e.close(other)
	}
	if !ok {
		s.session.Close()
		w.Header().Set("Retry-After", "5")
		refuseHTTP(w, http.StatusServiceUnavailable, "there is no room for another session now")
		return nil, false
	}
	return s, true
}

// use returns the session that a request names. If the session does not exist, use answers
// the request. The session is in use until leave is called.
func (e *Endpoint) use(w http.ResponseWriter, r *http.Request, id []byte) (*webSession, bool) {
	name := r.Header.Get(headerSession)
	if name == "" {
		writeError(w, http.StatusBadRequest, id, invalidRequest, "the header "+headerSession+" is missing: begin with initialize, or speak protocol "+firstModern)
		return nil, false
	}
	s := e.sessions.find(name, PrincipalOf(r.Context()).Name)
	if s == nil {
		writeError(w, http.StatusNotFound, id, sessionNotFound, "there is no such session; begin another with initialize")
		return nil, false
	}
	return s, true
}

// end handles DELETE: the client no longer needs its session.
func (e *Endpoint) end(w http.ResponseWriter, r *http.Request) {
	s, ok := e.use(w, r, nil)
	if !ok {
		return
	}
	defer e.sessions.leave(s)
	e.endSession(s)
	w.WriteHeader(http.StatusNoContent)
}

func (e *Endpoint) endSession(s *webSession) {
	if e.sessions.remove(s) {
		e.close(s)
	}
}

// close ends a session that was removed, and cancels its running calls.
func (e *Endpoint) close(s *webSession) {
	close(s.over)
	s.drain(0, nil)
}

// listen handles GET: the client listens for messages that belong to no request. A later
// stream of the same session replaces the earlier one.
func (e *Endpoint) listen(w http.ResponseWriter, r *http.Request) {
	if !accepts(r.Header, "text/event-stream") {
		refuseHTTP(w, http.StatusNotAcceptable, "what is told is a stream of events: Accept: text/event-stream")
		return
	}
	s, ok := e.use(w, r, nil)
	if !ok {
		return
	}
	defer e.sessions.leave(s)
	ctx, stop := whileLetIn(r.Context())
	defer stop()
	latest := e.sessions.take(ctx, s)
	defer e.sessions.drop(s)
	e.listeners.Add(1)
	defer e.listeners.Add(-1)
	stream := newEventStream(w)
	defer stream.end()
	stream.begin()
	alive := time.NewTicker(heartbeat)
	defer alive.Stop()
	for err := stream.beat(); err == nil; {
		select {
		case line := <-s.notes:
			if err = stream.event(line); err != nil {
				s.notify(line) // for the next stream
			}
		case <-alive.C:
			err = stream.beat()
		case <-s.over:
			return
		case <-latest.Done():
			return
		}
	}
}
