package transport

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// maxNotes is how many notifications a client may be behind.
const maxNotes = 256

// A conn is the calls of one client, whichever way they come: it holds their
// order, bounds and ends. Its transport reads them, and writes their answers.
type conn struct {
	questions
	handler     Handler
	log         *slog.Logger
	id          string // of the session; "" where calls have none
	session     Session
	notes       chan []byte     // notifications for the client that belong to no call of its
	maxBytes    int             // of the calls' messages
	calls       context.Context // every call's: their transport's end is not theirs
	cancelCalls context.CancelFunc
	idle        chan struct{} // closed when closing and nothing is owed

	mu      sync.Mutex
	room    *sync.Cond       // signalled when owed or bytes fall
	closing bool             // no more calls are accepted
	open    map[string]*Call // to be answered, by their keys
	owed    int              // calls that run or wait, and messages to be written
	bytes   int              // of the calls' messages
	resting sync.Once        // closes idle
	line    callOrder
}

// newConn opens a session of that id and returns its conn.
func newConn(ctx context.Context, h Handler, log *slog.Logger, id string) (*conn, error) {
	c := &conn{
		handler: h, log: log, id: id, notes: make(chan []byte, maxNotes),
		maxBytes: maxBytes, open: map[string]*Call{}, idle: make(chan struct{}),
	}
	c.room = sync.NewCond(&c.mu)
	var err error
	if c.session, err = h.Open(ctx, id, c.notify); err != nil {
		return nil, err
	}
	c.calls, c.cancelCalls = context.WithCancel(c.session.Context(context.WithoutCancel(ctx)))
	return c, nil
}

// notify sends a line to the client, unless it is too far behind.
func (c *conn) notify(line []byte) bool { return offer(c.notes, line) }

// offer sends the line where there is room for it.
func offer(notes chan<- []byte, line []byte) bool {
	select {
	case notes <- line:
		return true
	default:
		return false
	}
}

// newCall returns the call that a request or a notification is.
func (c *conn) newCall(e envelope, message []byte) *Call {
	call := &Call{ID: e.id, IDAt: e.idAt, key: idKey(e.id), Method: e.method, Message: message, conn: c}
	if e.kind == isRequest {
		call.turn = c.turn(e)
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
		c.leave(call)
		return
	}
	call.code = code
	call.answer(line, func() { c.leave(call) })
}

// growStack gives a new goroutine the stack that a call needs. A stack that grows
// by need is copied several times: a round trip on stdio took 36 µs so, and takes
// 30 µs with it (BenchmarkStdio of mcpserver).
//
//go:noinline
func growStack(never bool) byte {
	if !never { // the frame has room for it all the same, and nothing is zeroed
		return 0
	}
	var depth [24 << 10]byte
	return depth[time.Now().Nanosecond()%len(depth)]
}
