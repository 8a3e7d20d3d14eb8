package transport

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"kota/metadata"
)

// An Endpoint serves MCP clients over Streamable HTTP at any path. Clients of the
// protocols from 2025-03-26 to 2025-11-25 have sessions; clients of 2026-07-28 have none.
// An Endpoint does not authenticate: the server in front of it admits clients and sets the
// Principal in the context.
//
// A session ends when its client deletes it, or after 24 hours without a request. If 1,000
// sessions are open, a new session replaces the session that was idle for the longest, and
// is refused if none is idle. Only the session's principal can use it. Everything that
// ServeStdio guarantees about messages, ids, order, cancellation and questions holds within
// a session.
//
// Requests without a session have no order: none waits for the answer to another. The
// Endpoint cancels such a request when its client closes the connection. All such requests
// of a principal are one conversation: if one client reads untrusted text, the sends of all
// clients need approval.
//
// With Share, several replicas serve the same sessions, and any of them answers any request. The
// limits and the taint then hold for all of them. Only the order of calls is kept by each replica
// for itself.
//
// KOTA does not use mcp-go's own HTTP server. That server loses the last notifications,
// shares one channel among the streams of a session, reads bodies of any length and
// never ends sessions. See http_*_test.go.
type Endpoint struct {
	handler Handler
	log     *slog.Logger
	ctx     context.Context // parent context of all calls

	sessions    httpSessions
	largeBodies chan struct{} // limits the bodies that use much memory
	replicas
	callCount atomic.Int64
	listeners atomic.Int64
	requests  atomic.Int64

	mu        sync.Mutex
	draining  bool
	stateless map[string]*conn // for requests without a session, by principal
}

// NewEndpoint returns an endpoint for the handler.
func NewEndpoint(ctx context.Context, h Handler, log *slog.Logger) *Endpoint {
	return &Endpoint{
		handler: h, log: log, ctx: ctx,
		sessions:    httpSessions{open: map[string]*httpSession{}, now: time.Now},
		largeBodies: make(chan struct{}, maxLarge),
		stateless:   map[string]*conn{},
	}
}

// ServeHTTP answers a request to the endpoint.
func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{}) // calls may take long; see eventStream
	if r.ContentLength == 0 {
		bodyComplete(w)
	}
	version := r.Header.Get(headerVersion)
	switch {
	case r.Method == http.MethodPost:
		e.post(w, r)
	case r.Method != http.MethodGet && r.Method != http.MethodDelete:
		w.Header().Set("Allow", "GET, POST, DELETE")
		refuseHTTP(w, http.StatusMethodNotAllowed, r.Method+" is not supported here; send MCP messages with POST")
	case isModern(version):
		w.Header().Set("Allow", http.MethodPost)
		refuseHTTP(w, http.StatusMethodNotAllowed, r.Method+" is not part of protocol "+version+", which has no sessions; use subscriptions/listen to listen")
	case version != "" && !e.supports(version):
		refuseHTTP(w, http.StatusBadRequest, unsupported(version))
	case r.Method == http.MethodGet:
		e.listen(w, r)
	default:
		e.end(w, r)
	}
}

// The headers of MCP.
const (
	headerVersion     = "Mcp-Protocol-Version"
	headerSession     = "Mcp-Session-Id"
	headerLastEventID = "Last-Event-ID"
)

// supports reports whether the handler supports this version of the protocol.
func (e *Endpoint) supports(version string) bool {
	return slices.Contains(e.handler.Versions(), version)
}

func unsupported(version string) string {
	return "unsupported protocol version " + strconv.Quote(metadata.Shorten(version))
}

// statelessConn returns the principal's conn for requests without a session. It returns false
// while draining, or if the handler cannot open the conn.
func (e *Endpoint) statelessConn(principal string) (*conn, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.draining {
		return nil, false
	}
	c := e.stateless[principal]
	if c == nil {
		var err error
		if c, err = newConn(e.ctx, e.handler, e.log, ""); err != nil {
			return nil, false
		}
		c.maxBytes = 2 * maxLarge * maxBytes // one client must not block all others
		if e.store != nil {
			c.shared = e.newSharedConn(c, "")
		}
		e.stateless[principal] = c
	}
	return c, true
}

// Drain stops serving. It accepts no more calls. It answers the accepted calls like ServeStdio
// at the end of its input, with the same times after grace: a client needs to know what happened to its
// mail. Accepted calls have the time grace, such as EndGrace, and Drain returns a second later. Streams
// that only listen end at once. The server asks their clients to connect again.
func (e *Endpoint) Drain(grace time.Duration) {
	e.mu.Lock()
	e.draining = true
	conns := e.sessions.close()
	for _, c := range e.stateless {
		conns = append(conns, c)
	}
	e.mu.Unlock()

	var drained sync.WaitGroup
	for _, c := range conns {
		drained.Go(func() { c.drain(grace, nil) })
	}
	drained.Wait()
}

// isDraining reports whether the endpoint accepts no more calls.
func (e *Endpoint) isDraining() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.draining
}
