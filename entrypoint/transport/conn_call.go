package transport

import (
	"context"
	"encoding/json"
	"time"
)

const (
	maxOwed    = 10_000                    // calls accepted and not answered
	maxBytes   = MaxMessage + MaxMessage/8 // of their messages together
	maxRefused = 1000                      // refusals that the client has not read
)

const tooMuch = "too much is being served now; this request was not begun, so send it again later"

// A Call is a request or notification on its way.
type Call struct {
	ID      []byte // as the client wrote it; nil for a notification
	IDAt    int    // its offset in the message
	key     string // the same for the same id
	Method  string
	Message json.RawMessage
	Slot    Slot // that it runs in; nil: it needs none, or the handler takes it
	turn    turn

	// What its transport knows of it.
	conn    *conn
	notify  func(line []byte) bool                       // sends a notification to the client in the call's name; nil: its conn does
	answer  func(line []byte, after func())              // writes its answer, unless the client is gone; after is called when that is over
	ask     func(ctx context.Context, line []byte) error // writes a request to the client; nil: it cannot be asked
	dropped func()                                       // is told that there will be no answer; nil: nobody is

	code int // of the error that it is answered with; 0 for none

	// The rest is guarded by conn.mu.
	cancel context.CancelFunc // nil until it has begun
	gone   bool               // it is no longer owed
	placed bool               // it keeps others waiting
	counts bool               // it is one of those that run
	timer  *time.Timer        // gives up its place
}

// enter accepts a call, when there is room for it, for which it waits for that long at
// most and until ctx is done. It returns an error when it is refused: for its id, or, which later says,
// because there was no room or the connection is closing.
func (c *conn) enter(ctx context.Context, wait time.Duration, call *Call) (refusal *rpcError, later bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.full(call) {
		within, stop := context.WithTimeout(ctx, wait)
		defer stop()
		ctx = within
		defer context.AfterFunc(ctx, c.wake)()
	}
	for !c.closing && ctx.Err() == nil && c.full(call) {
		c.room.Wait()
	}
	switch _, inUse := c.open[call.key]; {
	case c.closing:
		return &rpcError{Code: internalError, Message: notBegun}, true
	case c.full(call):
		return &rpcError{Code: internalError, Message: tooMuch}, true
	case inUse:
		return &rpcError{Code: invalidRequest, Message: "Invalid request: a request with this id is still being served"}, false
	}
	c.admit(call)
	return nil, false
}

// full reports whether there is no room for the call. c.mu is held.
func (c *conn) full(call *Call) bool {
	return c.owed >= maxOwed || c.bytes > 0 && c.bytes+len(call.Message) > c.maxBytes
}

// wake has who waits for room look whether it still wants it.
func (c *conn) wake() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.room.Broadcast()
}

// admit puts the call in line. c.mu is held.
func (c *conn) admit(call *Call) {
	if call.ID != nil {
		c.open[call.key] = call
	}
	c.owed++
	c.bytes += len(call.Message)
	c.line.add(call)
	c.advance()
}

// claim reports whether the caller is the one to answer the call. From then on
// its id is free: a client may use it again as soon as it has the answer.
func (c *conn) claim(call *Call) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[call.key] != call {
		return false
	}
	delete(c.open, call.key)
	return true
}

// leave ends a call that has run, or will not be waited for.
func (c *conn) leave(call *Call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(call)
	c.advance()
}

// remove takes the call off the books. c.mu is held.
func (c *conn) remove(call *Call) {
	if call.gone {
		return
	}
	call.gone = true
	c.giveUpPlace(call)
	if call.cancel != nil {
		call.cancel()
	}
	if call.timer != nil {
		call.timer.Stop()
	}
	c.discount(call)
	c.bytes -= len(call.Message)
	c.settle()
}

// owe notes that one thing more is owed.
func (c *conn) owe() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.owed++
}

// written notes that what was owed was written, or could not be.
func (c *conn) written() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settle()
}

// owes reports whether there are calls that are not over.
func (c *conn) owes() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.owed > 0
}

// works reports whether there are calls that are not over, and do not only listen.
func (c *conn) works() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	listening := 0
	for _, call := range c.open {
		if call.Method == methodListen {
			listening++
		}
	}
	return c.owed > listening
}

// settle notes that one thing less is owed. c.mu is held.
func (c *conn) settle() {
	c.owed--
	c.room.Broadcast()
	c.rest()
}

// rest closes idle once nothing is owed. c.mu is held.
func (c *conn) rest() {
	if c.closing && c.owed == 0 {
		c.resting.Do(func() { close(c.idle) })
	}
}

// cancel ends the request that a notifications/cancelled names. It is not
// answered. initialize cannot be cancelled (MCP 2025-06-18, cancellation).
func (c *conn) cancel(message []byte) {
	var notification struct {
		Params struct {
			RequestID json.RawMessage `json:"requestId"`
		} `json:"params"`
	}
	if json.Unmarshal(message, &notification) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if call := c.open[idKey(notification.Params.RequestID)]; call != nil && call.turn.rank != rankOpening {
		c.drop(call)
	}
}

// giveUp cancels a call that nobody waits for, running or not. It gets no answer.
func (c *conn) giveUp(call *Call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[call.key] == call {
		c.drop(call)
	}
}

// drop is giveUp for an open call. c.mu is held.
func (c *conn) drop(call *Call) {
	delete(c.open, call.key)
	if call.dropped != nil {
		call.dropped()
	}
	if call.cancel != nil {
		call.cancel()
		return
	}
	c.line.drop(call)
	c.remove(call)
	c.advance()
}
