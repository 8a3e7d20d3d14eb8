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

// An Endpoint serves MCP clients over Streamable HTTP, at whatever path it is
// put: those of the protocols from 2025-03-26 to 2025-11-25 in sessions, those of
// 2026-07-28 without. It asks nobody who they are: who may come in is decided
// before it, and told by the Principal in its context.
//
// A session ends when its client says so (DELETE), when nothing came for 24
// hours, or, where 1,000 are open, for a new one, if it is the one that nothing
// came for the longest. It is its principal's alone. All that ServeStdio says of
// messages, ids, order, cancellation and questions holds within a session.
//
// What has no session is carried out as it comes, in no order, and is cancelled
// when its client closes the connection. It is all one conversation, for each
// principal: text from strangers that one client reads makes the sends of all be
// asked about.
//
// mcp-go has a server of this kind. It loses what is notified last, shares one
// channel among the streams of a session, reads bodies of any length and keeps
// sessions for ever, so it is not used; see http_*_test.go.
type Endpoint struct {
	handler Handler
	log     *slog.Logger
	ctx     context.Context // of all calls

	sessions  webSessions
	large     chan struct{} // places for bodies that take memory
	callCount atomic.Int64
	listeners atomic.Int64
	works     atomic.Int64

	mu        sync.Mutex
	draining  bool
	stateless map[string]*conn // of what has no session, by principal
}

// NewEndpoint returns an endpoint for what the handler handles.
func NewEndpoint(ctx context.Context, h Handler, log *slog.Logger) *Endpoint {
	return &Endpoint{
		handler: h, log: log, ctx: ctx,
		sessions:  webSessions{open: map[string]*webSession{}, now: time.Now},
		large:     make(chan struct{}, maxLarge),
		stateless: map[string]*conn{},
	}
}

// ServeHTTP answers a request to the endpoint.
func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{}) // calls take their time; see eventStream
	if r.ContentLength == 0 {
		arrived(w)
	}
	version := r.Header.Get(headerVersion)
	switch {
	case r.Method == http.MethodPost:
		e.post(w, r)
	case r.Method != http.MethodGet && r.Method != http.MethodDelete:
		w.Header().Set("Allow", "GET, POST, DELETE")
		refuseHTTP(w, http.StatusMethodNotAllowed, r.Method+" means nothing here; send MCP messages with POST")
	case isModern(version):
		w.Header().Set("Allow", http.MethodPost)
		refuseHTTP(w, http.StatusMethodNotAllowed, r.Method+" is no part of protocol "+version+", which has no sessions; listen with subscriptions/listen")
	case version != "" && !e.speaks(version):
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

// speaks reports whether the handler speaks that version of the protocol.
func (e *Endpoint) speaks(version string) bool { return slices.Contains(e.handler.Versions(), version) }

func unsupported(version string) string {
	return "unsupported protocol version " + strconv.Quote(metadata.Shorten(version))
}

// withoutSession returns the principal's conn without a session, false while draining.
func (e *Endpoint) withoutSession(principal string) (*conn, bool) {
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
		c.maxBytes = 2 * maxLarge * maxBytes // one client is not to keep out all others
		e.stateless[principal] = c
	}
	return c, true
}

// Drain ends the serving: no more calls are begun, and those in flight are
// answered as ServeStdio does when its input ends: nobody stands by who would kill
// the process sooner, and a client would rather know what became of its mail. It
// returns within 4.5 seconds.
func (e *Endpoint) Drain() {
	e.mu.Lock()
	e.draining = true
	conns := e.sessions.close()
	for _, c := range e.stateless {
		conns = append(conns, c)
	}
	e.mu.Unlock()

	var drained sync.WaitGroup
	for _, c := range conns {
		drained.Go(func() { c.drain(endGrace, nil) })
	}
	drained.Wait()
}
