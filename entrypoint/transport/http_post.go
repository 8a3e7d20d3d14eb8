package transport

import (
	"context"
	"net/http"

	"go.opentelemetry.io/otel/trace"
)

// A postedMessage is a message and its body.
type postedMessage struct {
	envelope
	body    []byte
	release func() // stops counting the body against maxLarge; called when another limit applies
}

// post handles one posted message.
func (e *Endpoint) post(w http.ResponseWriter, r *http.Request) {
	if !isJSON(r.Header) {
		refuseHTTP(w, http.StatusUnsupportedMediaType, "the body must be JSON: send the header Content-Type: application/json")
		return
	}
	if !accepts(r.Header, "application/json") || !accepts(r.Header, "text/event-stream") {
		refuseHTTP(w, http.StatusNotAcceptable, "answers are JSON or event streams: send the header Accept: application/json, text/event-stream")
		return
	}
	body, release, ok := e.readBody(w, r)
	defer release()
	if !ok {
		return
	}
	m := postedMessage{envelopeOf(body), body, release}
	switch {
	case m.kind == isRefused:
		writeError(w, http.StatusBadRequest, m.id, m.code, m.reason)
	case m.kind == isIgnored:
		refuseHTTP(w, http.StatusBadRequest, "Invalid request: the body has no valid message")
	default:
		e.accept(w, r, m)
	}
}

// accept handles a request, a notification or a response, according to its protocol version.
func (e *Endpoint) accept(w http.ResponseWriter, r *http.Request, m postedMessage) {
	header, declared := r.Header.Get(headerVersion), declaredVersion(m.body)
	switch {
	case isModern(header) || isModern(declared):
		e.acceptModern(w, r, m, declared)
	case m.kind == isRequest && m.method == methodInitialize:
		e.beginSession(w, r, m)
	case header != "" && !e.supports(header):
		writeError(w, http.StatusBadRequest, m.id, invalidRequest, unsupported(header))
	default:
		session, ok := e.findSession(w, r, m.id)
		if !ok {
			return
		}
		defer e.sessions.release(session)
		e.acceptInSession(session, w, r, m)
	}
}

// beginSession opens a session and handles initialize, its first message.
func (e *Endpoint) beginSession(w http.ResponseWriter, r *http.Request, m postedMessage) {
	session, ok := e.openSession(w, r)
	if !ok {
		return
	}
	defer e.sessions.release(session)
	e.serve(session.conn, m, session.newCall(m.envelope, m.body), w, r, func(code int) int {
		if code == 0 {
			w.Header().Set(headerSession, session.id)
		}
		return http.StatusOK
	})
	if !session.session.Initialized() {
		_ = e.endSession(r.Context(), session) // a session that stays is never used, and expires
	}
}

// acceptInSession handles a message that belongs to a session.
func (e *Endpoint) acceptInSession(session *httpSession, w http.ResponseWriter, r *http.Request, m postedMessage) {
	switch {
	case m.kind == isResponse:
		if !session.handleResponse(m.id, m.body) && e.store != nil && !e.send(w, r, session, m) {
			return
		}
	case m.isCancel():
		if !session.handleCancelled(m.body) && e.store != nil && !e.send(w, r, session, m) {
			return
		}
	case m.kind == isNotification:
		if refusal, retry := session.submit(r.Context(), queueTimeout, session.newCall(m.envelope, m.body)); refusal != nil {
			refuseCall(w, nil, refusal, retry)
			return
		}
	default:
		e.serve(session.conn, m, session.newCall(m.envelope, m.body), w, r, func(int) int { return http.StatusOK })
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

// serve answers a request. The function status returns the HTTP status for the JSON-RPC error
// code of the answer; a result has the code 0. If the client disconnects, a request of a
// session continues (MCP 2025-11-25, transports). A request without a session is cancelled
// (2026-07-28, cancellation).
func (e *Endpoint) serve(c *conn, m postedMessage, call *Call, w http.ResponseWriter, r *http.Request, status func(code int) int) {
	x := e.newExchange(w, status)
	defer close(x.closed)
	call.span = trace.SpanFromContext(r.Context())
	call.answer, call.ask, call.dropped, call.notify = x.answer, x.sendRequest, x.drop, x.notify
	if refusal, retry := c.submit(r.Context(), queueTimeout, call); refusal != nil {
		refuseCall(w, call.ID, refusal, retry)
		return
	}
	m.release() // conn.maxBytes limits the body now
	served := r.Context()
	switch m.method {
	case methodListen:
		var end context.CancelFunc
		served, end = whileAdmitted(served)
		defer end()
		e.listeners.Add(1)
		defer e.listeners.Add(-1)
	case methodPing:
	default:
		e.requests.Add(1)
	}
	if gone := x.serve(served, call); gone && c.id == "" {
		c.cancelCall(call)
	}
}

// refuseCall answers a call that submit refused. If retry is true, the client may try again.
func refuseCall(w http.ResponseWriter, id []byte, refusal *rpcError, retry bool) {
	status := http.StatusBadRequest
	if retry {
		status = http.StatusServiceUnavailable
		w.Header().Set("Retry-After", "5")
	}
	writeError(w, status, id, refusal.Code, refusal.Message)
}
