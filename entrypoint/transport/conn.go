package transport

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// maxNotifications is the maximum number of notifications that wait for a client.
const maxNotifications = 256

// A conn holds the calls of one client on any transport, or all calls that one principal makes
// without a session. It decides when calls begin and end. The transport reads the calls and
// writes their answers.
type conn struct {
	questions
	handler       Handler
	log           *slog.Logger
	id            string // the session's id; "" for calls without a session
	session       Session
	notifications chan []byte     // notifications that belong to no call
	maxBytes      int             // maximum of the field bytes
	calls         context.Context // parent context of every call; it outlives the transport's context
	cancelCalls   context.CancelFunc
	idle          chan struct{} // closed when closing is true and pending is 0

	mu       sync.Mutex
	hasSpace *sync.Cond       // signalled when pending or bytes decrease
	closing  bool             // no more calls are accepted
	open     map[string]*Call // requests without an answer yet, by their keys
	pending  int              // calls that run or wait, and messages to be written
	bytes    int              // the total length of the messages of pending calls
	idleOnce sync.Once        // closes idle
	order    callOrder
}

// newConn opens a session with this id and returns its conn.
func newConn(ctx context.Context, h Handler, log *slog.Logger, id string) (*conn, error) {
	c := &conn{
		handler: h, log: log, id: id, notifications: make(chan []byte, maxNotifications),
		maxBytes: maxBytes, open: map[string]*Call{}, idle: make(chan struct{}),
	}
	c.hasSpace = sync.NewCond(&c.mu)
	var err error
	if c.session, err = h.Open(ctx, id, c.notify); err != nil {
		return nil, err
	}
	c.calls, c.cancelCalls = context.WithCancel(c.session.Context(context.WithoutCancel(ctx)))
	return c, nil
}

// notify sends a line to the client. It reports false if too many lines wait.
func (c *conn) notify(line []byte) bool { return offer(c.notifications, line) }

// offer sends the line if the channel is not full.
func offer(notes chan<- []byte, line []byte) bool {
	select {
	case notes <- line:
		return true
	default:
		return false
	}
}

// newCall returns the call for a request or a notification.
func (c *conn) newCall(e envelope, message []byte) *Call {
	call := &Call{ID: e.id, IDAt: e.idAt, key: idKey(e.id), Method: e.method, Message: message, conn: c}
	if e.kind == isRequest {
		call.ordering = c.orderingOf(e)
	}
	return call
}

// run serves a call and answers it.
func (c *conn) run(ctx context.Context, call *Call) {
	growStack(false)
	line, code := c.session.Handle(ctx, call)
	if call.Slot != nil {
		call.Slot.Release()
	}
	if !c.claim(call) {
		c.finish(call)
		return
	}
	call.code = code
	call.answer(line, func() { c.finish(call) })
}

// growStack gives a new goroutine the stack that a call needs. A stack that grows on
// demand is copied several times. A round trip on stdio takes 30 µs with growStack and 36 µs
// without it (BenchmarkStdio of mcpserver).
//
//go:noinline
func growStack(useFrame bool) byte {
	if !useFrame { // the frame has its full size in this branch too, and nothing is zeroed
		return 0
	}
	var depth [24 << 10]byte
	return depth[time.Now().Nanosecond()%len(depth)]
}
