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

// A host is mcp-go's server as transports know it.
type host struct {
	server   *server.MCPServer
	calls    calls
	watch    *watch // nil where nothing tells of changes
	log      *slog.Logger
	mirrored map[string]mcp.Tool // those with arguments that clients repeat in headers
}

// calls are the calls of a Router.
type calls interface {
	Traits(tool, bundle, action string) (reads, remote, known bool)
	Acquire(remote bool, give func(*entrypoint.Slot)) *entrypoint.Slot
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

// HandleMessage answers a message of a client that has no session, as JSON encodes
// it.
func (s *Server) HandleMessage(ctx context.Context, message json.RawMessage) any {
	return s.mcp.HandleMessage(ctx, message)
}

// host is what serves clients of the server. It knows of the tools that are not
// listed too, and what an entry point is to run.
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
func (h *host) Acquire(remote bool, give func(transport.Slot)) transport.Slot {
	if s := h.calls.Acquire(remote, func(s *entrypoint.Slot) { give(s) }); s != nil {
		return s
	}
	return nil
}

// Versions are those that mcp-go speaks.
func (h *host) Versions() []string { return mcp.ValidProtocolVersions }

// CheckHeaders compares the headers that repeat what a request says (SEP-2243).
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
	said := func(name string) (string, bool) { return header.Get(name), len(header.Values(name)) > 0 }
	return mcp.ValidateParamHeadersLookup(said, &mirrored, request.Params)
}

// Open makes a client known to the server, one without an id excepted.
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

// newClient returns a session that can be told what its client subscribes to, in
// the name of a request to listen or, without one, in its own.
func (h *host) newClient(id string, to notifier, listening []byte) *clientSession {
	return &clientSession{id: id, relay: relay{to: to}, subscriptions: subscriptions{watch: h.watch, to: to, id: listening}}
}

// A hostSession is the calls of one client, or those of one principal without a session.
type hostSession struct {
	*entrypoint.Session
	host   *host
	client *clientSession // nil without a session
}

// Context makes the calls those of the conversation.
func (s *hostSession) Context(ctx context.Context) context.Context { return s.In(ctx) }

// Initialized reports whether mcp-go has answered the client's initialize.
func (s *hostSession) Initialized() bool { return s.client != nil && s.client.Initialized() }

// Taint is what the session passes on.
func (s *hostSession) Taint() transport.Taint {
	began, tainted := s.Tainted()
	return transport.Taint{Tainted: tainted, Began: began}
}

// Inherit has the session continue a conversation of that taint.
func (s *hostSession) Inherit(t transport.Taint) {
	if t.Tainted {
		s.InheritTaint(t.Began)
	}
}

// Close ends what the client subscribed to.
func (s *hostSession) Close() {
	if s.client == nil {
		return
	}
	s.client.subscriptions.end()
	s.client.relay.finish()
	s.host.server.UnregisterSession(context.Background(), s.client.id)
}

// of returns the session as the call has it. What listens has subscriptions of its
// own, and a call without a session says itself what its client is.
func (s *hostSession) of(call *transport.Call) *callSession {
	client := s.client
	switch {
	case client == nil:
		client = s.host.newClient("", call, call.ID)
	case call.Method == string(mcp.MethodSubscriptionsListen):
		client = s.host.newClient(client.id, call, call.ID)
	}
	return &callSession{clientSession: client, call: call, relay: relay{to: call}}
}

// Handle has mcp-go handle the message. What it notified is sent before the answer.
func (s *hostSession) Handle(ctx context.Context, call *transport.Call) (line []byte, code int) {
	of := s.of(call)
	answer := s.handle(s.host.server.WithContext(ctx, of), of)
	of.relay.finish()
	if call.ID == nil {
		return nil, 0
	}
	line, code, err := encodeAnswer(call.ID, answer)
	if err != nil {
		return transport.ErrorLine(call.ID, mcp.INTERNAL_ERROR, entrypoint.Report(s.host.log, call.Method, err).Message), mcp.INTERNAL_ERROR
	}
	return line, code
}

// handle calls the server. What a panic is about goes to the log alone.
func (s *hostSession) handle(ctx context.Context, of *callSession) (answer mcp.JSONRPCMessage) {
	call := of.call
	defer func() {
		if p := recover(); p != nil {
			answer = mcp.NewJSONRPCError(mcp.NewRequestId(nil), mcp.INTERNAL_ERROR, entrypoint.Panicked(s.host.log, call.Method, p).Message, nil)
		}
	}()
	message := call.Message
	if call.ID != nil && !survives(call.ID) {
		message = withTextID(message, call.IDAt, call.IDAt+len(call.ID))
	}
	return of.fault.in(s.host.server.HandleMessage(ctx, message))
}
