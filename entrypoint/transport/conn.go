package transport

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// longCall is how long a call runs before its client can cancel it at another replica.
const longCall = time.Second

// unsaved is the error of a call whose session could not be saved.
const unsaved = "the call was made, but its session could not be saved, so its answer is withheld; check what happened before you repeat it"

// maxNotifications is the maximum number of notifications that wait for a client.
const maxNotifications = 64

// A conn holds the calls of one client on any transport, or all calls that one principal makes
// without a session. It decides when calls begin and end. The transport reads the calls and
// writes their answers.
type conn struct {
	questions
	handler       Handler
	log           *slog.Logger
	id            string // the session's id; "" for calls without a session
	session       Session
	shared        *sharedConn     // nil if no other replica has the session
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
	stopReceiving := c.receiveIfLong()
	defer stopReceiving()
	line, code := c.session.Handle(ctx, call)
	if call.Slot != nil {
		call.Slot.Release()
	}
	if c.shared != nil {
		if err := c.shared.save(ctx); err != nil {
			c.log.Error("save a session", "err", err)
			line, code = ErrorLine(call.ID, internalError, unsaved), internalError
		}
	}
	if !c.claim(call) {
		c.finish(call)
		return
	}
	call.code = code
	call.answer(line, func() { c.finish(call) })
}

// receiveIfLong lets messages from other replicas arrive for a call that takes long: its client may
// cancel it at another replica. Shorter calls have no use for them. The caller calls stop after the
// call.
func (c *conn) receiveIfLong() (stop func()) {
	if c.shared == nil || c.id == "" {
		return func() {}
	}
	stopReceiving := func() {}
	begun := make(chan struct{})
	timer := time.AfterFunc(longCall, func() {
		defer close(begun)
		stopReceiving = c.shared.receive()
	})
	return func() {
		if !timer.Stop() {
			<-begun
			stopReceiving()
		}
	}
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
