package entrypoint

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// connNotes is how many notifications a client may be behind.
const connNotes = 256

// A host is what serves the clients of one transport.
type host struct {
	server *server.MCPServer
	reach  reach
	watch  *watch // nil where nothing tells of changes
	log    *slog.Logger
}

// A conn is the calls of one client, whichever way they come: it holds their
// order, bounds and ends. Its transport reads them, and writes their answers.
type conn struct {
	host
	session     *clientSession
	maxBytes    int             // of the calls' messages
	calls       context.Context // every call's: their transport's end is not theirs
	cancelCalls context.CancelFunc
	idle        chan struct{} // closed when closing and nothing is owed

	mu      sync.Mutex
	room    *sync.Cond           // signalled when owed or bytes fall
	closing bool                 // no more calls are accepted
	open    map[string]*connCall // to be answered, by their keys
	owed    int                  // calls that run or wait, and messages to be written
	bytes   int                  // of the calls' messages
	resting sync.Once            // closes idle
	line    callOrder
}

// newConn returns a conn whose session has that id. session is WithSession where
// its calls are one conversation.
func newConn(ctx context.Context, h host, id string, session func(context.Context) context.Context) *conn {
	c := &conn{host: h, maxBytes: maxBytes, open: map[string]*connCall{}, idle: make(chan struct{})}
	c.room = sync.NewCond(&c.mu)
	c.session = h.newSession(id, c.ask, make(chan mcp.JSONRPCNotification, connNotes), nil)
	c.calls, c.cancelCalls = context.WithCancel(h.server.WithContext(session(context.WithoutCancel(ctx)), c.session))
	return c
}

// newSession returns a session that can be told what its client subscribes to, in
// the name of a request to listen or, without one, in its own.
func (h host) newSession(id string, ask func(context.Context, []byte) error, notes chan mcp.JSONRPCNotification, listening []byte) *clientSession {
	s := newClientSession(id, ask, notes)
	s.subscriptions = subscriptions{watch: h.watch, notes: notes, id: listening}
	return s
}

// newCall returns the call that a request or a notification is.
func (c *conn) newCall(e envelope, message []byte) *connCall {
	call := &connCall{id: e.id, key: idKey(e.id), method: e.method, message: message}
	if e.kind == isNotification {
		return call
	}
	call.turn = c.turn(e)
	if e.method == string(mcp.MethodSubscriptionsListen) {
		call.session = c.newSession(c.session.id, nil, c.session.notes, e.id)
	}
	if !survives(e.id) {
		call.message = withTextID(message, e.idAt, e.idAt+len(e.id))
	}
	return call
}

// run serves a call and answers it.
func (c *conn) run(ctx context.Context, call *connCall) {
	deepen()
	answer := c.handle(ctx, call)
	if !c.claim(call) {
		c.leave(call)
		return
	}
	if failure, ok := answer.(mcp.JSONRPCError); ok {
		call.code = failure.Error.Code
	}
	line, err := encodeAnswer(call.id, answer)
	if err != nil {
		line = errorLine(call.id, mcp.INTERNAL_ERROR, reported(c.log, call.method, classify(err)).Message)
	}
	call.answer(line, func() { c.leave(call) })
}

// handle calls the server. What a panic is about goes to the log alone.
func (c *conn) handle(ctx context.Context, call *connCall) (answer mcp.JSONRPCMessage) {
	defer func() {
		if p := recover(); p != nil {
			answer = mcp.NewJSONRPCError(mcp.NewRequestId(nil), mcp.INTERNAL_ERROR, Panicked(c.log, call.method, p).Message, nil)
		}
	}()
	ctx, f := withFault(ctx)
	return f.in(c.server.HandleMessage(ctx, json.RawMessage(call.message)))
}

// ask has a request written to the client for the call whose context it is. The
// call gives up its place: a user may take minutes to answer.
func (c *conn) ask(ctx context.Context, line []byte) error {
	call, ok := ctx.Value(connCallKey{}).(*connCall)
	if !ok || call.ask == nil {
		return errClientGone
	}
	c.stepAside(call)
	return call.ask(ctx, line)
}
