package transport

import (
	"context"
	"encoding/json"
	"time"

	"go.opentelemetry.io/otel/trace"
)

const (
	maxPending  = 10_000                    // maximum accepted calls without an answer
	maxBytes    = MaxMessage + MaxMessage/8 // maximum total length of their messages
	maxRefusals = 1000                      // maximum refusals that the client has not read
)

const overloaded = "the server is busy; this request was not started, so send it again later"

// A Call is a request or a notification that is being served.
type Call struct {
	ID       []byte // as the client wrote it; nil for a notification
	IDAt     int    // the offset of ID in Message
	key      string // equal for equal ids
	Method   string
	Message  json.RawMessage
	span     trace.Span // of the request that brought it; nil: none
	Slot     Slot       // the slot in which it runs; nil: it needs none, or the handler takes it
	ordering ordering

	// Set by its transport.
	conn    *conn
	notify  func(line []byte) bool                       // sends a notification for this call to the client; nil: the conn sends it
	answer  func(line []byte, after func())              // writes the answer, unless the client is gone; then calls after, even if the write failed
	ask     func(ctx context.Context, line []byte) error // writes a request to the client; nil: the client cannot be asked
	dropped func()                                       // is called if there will be no answer; may be nil

	code int // the error code of the answer; 0 for a result

	// The rest is guarded by conn.mu.
	cancel   context.CancelFunc // nil until the call begins
	removed  bool               // it is no longer pending
	blocking bool               // other calls wait for it
	counted  bool               // it counts as running
	timer    *time.Timer        // ends the wait of other calls for it
}

// inTrace returns ctx with the span of the request that brought the call.
func (call *Call) inTrace(ctx context.Context) context.Context {
	if call.span == nil {
		return ctx
	}
	return trace.ContextWithSpan(ctx, call.span)
}

// submit accepts a call. If a limit is reached, it waits for space until ctx is done, at most
// for the duration wait. It returns nil or the refusal. If the reason is a limit or a closing
// connection, retry is true. If the reason is the call's id, retry is false.
func (c *conn) submit(ctx context.Context, wait time.Duration, call *Call) (refusal *rpcError, retry bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.full(call) {
		within, stop := context.WithTimeout(ctx, wait)
		defer stop()
		ctx = within
		defer context.AfterFunc(ctx, c.wake)()
	}
	for !c.closing && ctx.Err() == nil && c.full(call) {
		c.hasSpace.Wait()
	}
	switch _, inUse := c.open[call.key]; {
	case c.closing:
		return &rpcError{Code: internalError, Message: notBegun}, true
	case c.full(call):
		return &rpcError{Code: internalError, Message: overloaded}, true
	case inUse:
		return &rpcError{Code: invalidRequest, Message: "Invalid request: a request with this id is still being served"}, false
	}
	c.admit(call)
	return nil, false
}

// full reports whether the limits leave no space for the call. The caller holds c.mu.
func (c *conn) full(call *Call) bool {
	return c.pending >= maxPending || c.bytes > 0 && c.bytes+len(call.Message) > c.maxBytes
}

// wake makes waiting submits check again whether they may continue.
func (c *conn) wake() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hasSpace.Broadcast()
}

// admit adds the call to the order. The caller holds c.mu.
func (c *conn) admit(call *Call) {
	if call.ID != nil {
		c.open[call.key] = call
	}
	c.pending++
	c.bytes += len(call.Message)
	c.order.add(call)
	c.advance()
}

// claim reports whether the caller may answer the call. It reports true only once. It frees the
// call's id: a client may use the id again as soon as it has the answer.
func (c *conn) claim(call *Call) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[call.key] != call {
		return false
	}
	delete(c.open, call.key)
	return true
}

// finish ends a call that has run or that nobody waits for.
func (c *conn) finish(call *Call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(call)
	c.advance()
}

// remove removes the call from all counts, once. The caller holds c.mu.
func (c *conn) remove(call *Call) {
	if call.removed {
		return
	}
	call.removed = true
	c.stopBlocking(call)
	if call.cancel != nil {
		call.cancel()
	}
	if call.timer != nil {
		call.timer.Stop()
	}
	c.stopCounting(call)
	c.bytes -= len(call.Message)
	c.removePending()
}

// addPending adds one to the pending calls and messages.
func (c *conn) addPending() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pending++
}

// removeWritten removes a pending message that was written or could not be written.
func (c *conn) removeWritten() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.removePending()
}

// hasPending reports whether calls or messages are pending.
func (c *conn) hasPending() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pending > 0
}

// hasWork reports whether calls are pending that do more than listen.
func (c *conn) hasWork() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	listening := 0
	for _, call := range c.open {
		if call.Method == methodListen {
			listening++
		}
	}
	return c.pending > listening
}

// removePending subtracts one from the pending calls and messages. The caller holds c.mu.
func (c *conn) removePending() {
	c.pending--
	c.hasSpace.Broadcast()
	c.closeIfIdle()
}

// closeIfIdle closes idle when nothing is pending. The caller holds c.mu.
func (c *conn) closeIfIdle() {
	if c.closing && c.pending == 0 {
		c.idleOnce.Do(func() { close(c.idle) })
	}
}

// handleCancelled cancels the request that a notifications/cancelled names. The request gets
// no answer. initialize cannot be cancelled (MCP 2025-06-18, cancellation). handleCancelled reports
// whether the request is open here.
func (c *conn) handleCancelled(message []byte) bool {
	var notification struct {
		Params struct {
			RequestID json.RawMessage `json:"requestId"`
		} `json:"params"`
	}
	if json.Unmarshal(message, &notification) != nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	call := c.open[idKey(notification.Params.RequestID)]
	if call != nil && call.ordering.rank != rankInitialize {
		c.drop(call)
	}
	return call != nil
}

// cancelCall cancels a call that nobody waits for, whether it has begun or not. The call gets
// no answer.
func (c *conn) cancelCall(call *Call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[call.key] == call {
		c.drop(call)
	}
}

// drop is cancelCall for an open call. The caller holds c.mu.
func (c *conn) drop(call *Call) {
	delete(c.open, call.key)
	if call.dropped != nil {
		call.dropped()
	}
	if call.cancel != nil {
		call.cancel()
		return
	}
	c.order.remove(call)
	c.remove(call)
	c.advance()
}
