package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kota/entrypoint"
	"kota/entrypoint/transport"
)

// A host gives transports access to mcp-go's server.
type host struct {
	server   *server.MCPServer
	calls    calls
	watch    *resourceWatch // nil if nothing reports changes
	log      *slog.Logger
	mirrored map[string]mcp.Tool // tools with arguments that clients repeat in headers
}

// calls is the part of a Router that classifies calls and has their slots.
type calls interface {
	Traits(tool, bundle, action string) (reads, remote, known bool)
	Acquire(remote bool, onFree func(*entrypoint.Slot)) *entrypoint.Slot
}

// ServeStdio serves one client that writes to in and reads from out: see
// transport.ServeStdio.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer, log *slog.Logger) error {
	return transport.ServeStdio(ctx, s.host(log), in, out, log)
}

// NewEndpoint returns an endpoint that serves clients over HTTP.
func (s *Server) NewEndpoint(ctx context.Context, log *slog.Logger) *transport.Endpoint {
	return transport.NewEndpoint(ctx, s.host(log), log)
}

// HandleMessage answers a message without a session. The answer marshals to JSON.
func (s *Server) HandleMessage(ctx context.Context, message json.RawMessage) any {
	return s.mcp.HandleMessage(ctx, message)
}

// host returns the server for transports.
func (s *Server) host(log *slog.Logger) *host {
	return newHost(s.mcp, s.router, s.watcher, log)
}

func newHost(s *server.MCPServer, calls calls, watcher Watcher, log *slog.Logger) *host {
	h := &host{server: s, calls: calls, watch: newWatch(s, watcher, log), log: log, mirrored: map[string]mcp.Tool{}}
	for name, tool := range s.ListTools() {
		if bytes.Contains(tool.Tool.RawInputSchema, []byte("x-mcp-header")) {
			h.mirrored[name] = tool.Tool
		}
	}
	return h
}

// Traits classifies a tools/call before it is decoded.
func (h *host) Traits(tool, bundle, action string) (reads, remote, known bool) {
	return h.calls.Traits(tool, bundle, action)
}

// Acquire takes one of the router's slots.
func (h *host) Acquire(remote bool, onFree func(transport.Slot)) transport.Slot {
	if s := h.calls.Acquire(remote, func(s *entrypoint.Slot) { onFree(s) }); s != nil {
		return s
	}
	return nil
}

// Versions returns the protocol versions that mcp-go supports.
func (h *host) Versions() []string { return mcp.ValidProtocolVersions }

// CheckHeaders checks the headers that repeat parts of a request (SEP-2243).
func (h *host) CheckHeaders(header http.Header, method, tool string, message []byte) error {
	var request struct {
		Params json.RawMessage `json:"params"`
	}
	if err := json.Unmarshal(message, &request); err != nil {
		return err
	}
	if err := mcp.ValidateStandardHeaders(header.Get, header.Get(mcp.HeaderProtocolVersion), mcp.MCPMethod(method), request.Params); err != nil {
		return err
	}
	mirrored, ok := h.mirrored[tool]
	if !ok || method != string(mcp.MethodToolsCall) {
		return nil
	}
	lookup := func(name string) (string, bool) { return header.Get(name), len(header.Values(name)) > 0 }
	return mcp.ValidateParamHeadersLookup(lookup, &mirrored, request.Params)
}

// Open registers a client with the server. A client without an id is not registered: it
// gets a shared session.
func (h *host) Open(ctx context.Context, id string, notify func(line []byte) bool) (transport.Session, error) {
	if id == "" {
		return &hostSession{host: h, Session: entrypoint.NewSharedSession()}, nil
	}
	s := &hostSession{host: h, Session: entrypoint.NewSession(), client: h.newClient(id, notifierFunc(notify), nil)}
	if err := h.server.RegisterSession(ctx, s.client); err != nil {
		return nil, errors.New(entrypoint.Report(h.log, "register session", err).Message)
	}
	return s, nil
}

// newClient returns a session that can have subscriptions. They belong to the request to
// listen with the id listenID or, if listenID is nil, to the session itself.
func (h *host) newClient(id string, client notifier, listenID []byte) *clientSession {
	return &clientSession{id: id, relay: relay{client: client}, subscriptions: subscriptions{watch: h.watch, client: client, id: listenID}}
}

// A hostSession is the session of one client. The calls of one principal outside any MCP
// session share one too.
type hostSession struct {
	*entrypoint.Session
	host   *host
	client *clientSession // nil without a session
}

// Context returns ctx for calls of this session.
func (s *hostSession) Context(ctx context.Context) context.Context { return s.NewContext(ctx) }

// Initialized reports whether mcp-go has answered the client's initialize.
func (s *hostSession) Initialized() bool { return s.client != nil && s.client.Initialized() }

// Taint returns the taint of the session, which another session may inherit.
func (s *hostSession) Taint() transport.Taint {
	began, tainted := s.KnownTaint()
	return transport.Taint{Tainted: tainted, Began: began}
}

// Inherit makes the session continue a conversation with this taint.
func (s *hostSession) Inherit(t transport.Taint) {
	switch {
	case t.Tainted:
		s.InheritTaint(t.Began)
	case !t.Began.IsZero():
		s.SetLatestBegin(t.Began)
	}
}

// Close ends the client's subscriptions and unregisters the session.
func (s *hostSession) Close() {
	if s.client == nil {
		return
	}
	s.client.subscriptions.end()
	s.client.relay.finish()
	s.host.server.UnregisterSession(context.Background(), s.client.id)
}

// forCall returns the session of the call. A request to listen gets subscriptions of its
// own. A call without a session gets a new clientSession.
func (s *hostSession) forCall(call *transport.Call) *callSession {
	client := s.client
	switch {
	case client == nil:
		client = s.host.newClient("", call, call.ID)
	case call.Method == string(mcp.MethodSubscriptionsListen):
		client = s.host.newClient(client.id, call, call.ID)
	}
	return &callSession{clientSession: client, call: call, relay: relay{client: call}}
}

// Handle lets mcp-go handle the message of the call. It sends the call's notifications, and
// returns the line of the answer and its error code. A call without an id has no answer.
func (s *hostSession) Handle(ctx context.Context, call *transport.Call) (line []byte, code int) {
	session := s.forCall(call)
	answer := s.handle(s.host.server.WithContext(ctx, session), session)
	session.relay.finish()
	if call.ID == nil {
		return nil, 0
	}
	line, code, err := encodeAnswer(call.ID, answer)
	if err != nil {
		return transport.ErrorLine(call.ID, mcp.INTERNAL_ERROR, entrypoint.Report(s.host.log, call.Method, err).Message), mcp.INTERNAL_ERROR
	}
	return line, code
}

// handle calls the server. Details of a panic go only to the log.
func (s *hostSession) handle(ctx context.Context, session *callSession) (answer mcp.JSONRPCMessage) {
	call := session.call
	defer func() {
		if p := recover(); p != nil {
			answer = mcp.NewJSONRPCError(mcp.NewRequestId(nil), mcp.INTERNAL_ERROR, entrypoint.ReportPanic(s.host.log, call.Method, p).Message, nil)
		}
	}()
	message := call.Message
	if call.ID != nil && !idSurvives(call.ID) {
		message = quoteID(message, call.IDAt, call.IDAt+len(call.ID))
	}
	return session.requestError.applyTo(s.host.server.HandleMessage(ctx, message))
}
