package transport

import (
	"context"
	"net/http"
)

// A posted is a message and its body.
type posted struct {
	envelope
	body    []byte
	release func() // gives up the body's share of the limit on large bodies, when another limit applies
}

// post handles one posted message.
func (e *Endpoint) post(w http.ResponseWriter, r *http.Request) {
	if !isJSON(r.Header) {
		refuseHTTP(w, http.StatusUnsupportedMediaType, "send JSON: Content-Type: application/json")
		return
	}
	if !accepts(r.Header, "application/json") || !accepts(r.Header, "text/event-stream") {
		refuseHTTP(w, http.StatusNotAcceptable, "answers are JSON or event streams: Accept: application/json, text/event-stream")
		return
	}
	body, release, ok := e.readBody(w, r)
	defer release()
	if !ok {
		return
	}
	m := posted{envelopeOf(body), body, release}
	switch {
	case m.kind == isRefused:
		writeError(w, http.StatusBadRequest, m.id, m.code, m.reason)
	case m.kind == isNothing:
		refuseHTTP(w, http.StatusBadRequest, "Invalid request: there is no message that could be understood")
	default:
		e.accept(w, r, m)
	}
}

func (e *Endpoint) accept(w http.ResponseWriter, r *http.Request, m posted) {
	said, declared := r.Header.Get(headerVersion), declaredVersion(m.body)
	switch {
	case isModern(said) || isModern(declared):
		e.acceptModern(w, r, m, declared)
	case m.kind == isRequest && m.method == methodInitialize:
		e.begin(w, r, m)
	case said != "" && !e.speaks(said):
		writeError(w, http.StatusBadRequest, m.id, invalidRequest, unsupported(said))
	default:
		session, ok := e.use(w, r, m.id)
		if !ok {
			return
		}
		defer e.sessions.leave(session)
		e.acceptIn(session, w, r, m)
	}
}

// begin begins a session with its first message.
func (e *Endpoint) begin(w http.ResponseWriter, r *http.Request, m posted) {
	session, ok := e.openSession(w, r)
	if !ok {
		return
	}
	defer e.sessions.leave(session)
	e.serve(session.conn, m, session.newCall(m.envelope, m.body), w, r, func(code int) int {
		if code == 0 {
			w.Header().Set(headerSession, session.id)
		}
		return http.StatusOK
	})
	if !session.session.Initialized() {
		e.endSession(session)
	}
}

// acceptIn handles a message that belongs to a session.
func (e *Endpoint) acceptIn(session *webSession, w http.ResponseWriter, r *http.Request, m posted) {
	switch {
	case m.kind == isResponse:
		session.answered(m.id, m.body)
	case m.isCancel():
		session.cancel(m.body)
	case m.kind == isNotification:
		if refusal, later := session.enter(r.Context(), placeTime, session.newCall(m.envelope, m.body)); refusal != nil {
			refuseCall(w, nil, refusal, later)
			return
		}
	default:
		e.serve(session.conn, m, session.newCall(m.envelope, m.body), w, r, func(int) int { return http.StatusOK })
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

// serve answers a request. Status returns the HTTP status for the JSON-RPC code of the
// answer, 0 for a result. If the client disconnects, a request of a session continues (MCP
// 2025-11-25, transports: a disconnection is no cancellation). A request without a session
// is cancelled (2026-07-28, cancellation).
func (e *Endpoint) serve(c *conn, m posted, call *Call, w http.ResponseWriter, r *http.Request, status func(code int) int) {
	x := newExchange(w, status)
	defer close(x.left)
	call.answer, call.ask, call.dropped, call.notify = x.answer, x.question, x.drop, x.notify
	if refusal, later := c.enter(r.Context(), placeTime, call); refusal != nil {
		refuseCall(w, call.ID, refusal, later)
		return
	}
	m.release() // conn.bytes limits it now
	served := r.Context()
	switch m.method {
	case methodListen:
		var end context.CancelFunc
		served, end = whileLetIn(served)
		defer end()
		e.listeners.Add(1)
		defer e.listeners.Add(-1)
	case methodPing:
	default:
		e.works.Add(1)
	}
	if gone := x.serve(served, call); gone && c.id == "" {
		c.giveUp(call)
	}
}

// refuseCall answers a call that was not accepted. Later says that the client may retry.
func refuseCall(w http.ResponseWriter, id []byte, refusal *rpcError, later bool) {
	status := http.StatusBadRequest
	if later {
		status = http.StatusServiceUnavailable
		w.Header().Set("Retry-After", "5")
	}
	writeError(w, status, id, refusal.Code, refusal.Message)
}
