package transport

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"time"
)

// listen handles GET: the client listens for messages that belong to no request. A later
// stream of the same session replaces the earlier one.
func (e *Endpoint) listen(w http.ResponseWriter, r *http.Request) {
	if !accepts(r.Header, "text/event-stream") {
		refuseHTTP(w, http.StatusNotAcceptable, "the answer is an event stream: send the header Accept: text/event-stream")
		return
	}
	s, ok := e.findSession(w, r, nil)
	if !ok {
		return
	}
	defer e.sessions.release(s)
	ctx, stop := whileAdmitted(r.Context())
	defer stop()
	name := rand.Text()
	latest := e.sessions.addStream(ctx, s)
	defer e.sessions.removeStream(s)
	claims, release, err := e.listenShared(r.Context(), s, name)
	if err != nil {
		e.unavailable(w, nil, err)
		return
	}
	defer release()
	e.listeners.Add(1)
	defer e.listeners.Add(-1)
	stream := newEventStream(w)
	defer stream.setDeadline()
	stream.begin()
	alive := time.NewTicker(heartbeat)
	defer alive.Stop()
	for err = stream.writeHeartbeat(); err == nil; {
		select {
		case line := <-s.notifications:
			if err = stream.writeEvent(line); err != nil {
				s.notify(line) // for the next stream
			} else if s.shared != nil {
				err = s.shared.save(ctx) // otherwise a stream of another replica repeats it
			}
		case <-alive.C:
			err = stream.writeHeartbeat()
		case <-claims:
			err = e.store.ClaimStream(ctx, s.shared.id, name)
		case <-s.ended:
			if e.isDraining() {
				_ = stream.writeRetry() // if this fails, the client is gone
			}
			return
		case <-latest.Done():
			return
		}
	}
}

// listenShared registers a stream. The caller calls ClaimStream at each time from claims, and release
// at the end.
func (e *Endpoint) listenShared(ctx context.Context, s *httpSession, name string) (claims <-chan time.Time, release func(), err error) {
	if e.store == nil {
		return nil, func() {}, nil
	}
	if err := e.store.ClaimStream(ctx, s.shared.id, name); err != nil {
		return nil, nil, err
	}
	stopReceiving, again := e.receiveMessages(), time.NewTicker(ClaimEvery)
	e.sessions.setListening(s, name)
	return again.C, func() {
		again.Stop()
		stopReceiving()
		e.sessions.unsetListening(s, name)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shareTimeout)
		defer cancel()
		err := s.shared.save(ctx) // the last notifications
		if err = errors.Join(err, e.store.ReleaseStream(ctx, s.shared.id, name)); err != nil {
			e.log.Debug("end a stream", "err", err) // the session is held for some minutes
		}
	}, nil
}

// addStream returns a context for the new listening stream and ends the earlier one. A client
// that listens again has lost the earlier stream, which would still consume notifications.
func (h *httpSessions) addStream(ctx context.Context, s *httpSession) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	h.mu.Lock()
	defer h.mu.Unlock()
	if s.cancelStream != nil {
		s.cancelStream()
	}
	s.cancelStream = cancel
	s.streams++
	return ctx
}

// removeStream records that a stream of the session has ended.
func (h *httpSessions) removeStream(s *httpSession) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s.streams--
}

// setListening makes a stream the one on which other replicas know that the client listens.
func (h *httpSessions) setListening(s *httpSession, name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s.stream = name
	s.session.Listen(true)
}

// unsetListening is called at the end of that stream.
func (h *httpSessions) unsetListening(s *httpSession, name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s.stream == name { // otherwise another stream has replaced it
		s.stream = ""
		s.session.Listen(false)
	}
}

// streamOf returns the name of the session's stream for other replicas, or "".
func (h *httpSessions) streamOf(s *httpSession) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return s.stream
}

// endStream ends the stream with this name, unless another one has replaced it.
func (h *httpSessions) endStream(s *httpSession, name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s.stream == name {
		s.cancelStream()
	}
}
