package entrypoint

import (
	"context"
	"encoding/json"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

const (
	maxOwed    = 10_000                    // calls accepted and not answered
	maxBytes   = MaxMessage + MaxMessage/8 // of their messages together
	maxRefused = 1000                      // refusals that the client has not read
)

// A stdioCall is a request or notification on its way.
type stdioCall struct {
	id      []byte // as the client wrote it; nil for a notification
	method  string
	message json.RawMessage
	turn    turn

	// The rest is guarded by stdioConn.mu.
	cancel context.CancelFunc // nil until it has begun
	gone   bool               // it is no longer owed
	placed bool               // it keeps others waiting
	timer  *time.Timer        // gives up its place
}

// enter accepts a call, when there is room for it. It returns false when the
// connection is closing: the call is refused.
func (c *stdioConn) enter(call *stdioCall) bool {
	c.mu.Lock()
	for !c.closing && (c.owed >= maxOwed || c.bytes > 0 && c.bytes+len(call.message) > maxBytes) {
		c.room.Wait()
	}
	refusal := ""
	switch _, inUse := c.open[idKey(call.id)]; {
	case c.closing:
		refusal = notBegun
	case inUse:
		refusal = "Invalid request: a request with this id is still being served"
	}
	if refusal == "" {
		c.admit(call)
	}
	closing := c.closing
	c.mu.Unlock()

	if refusal != "" && call.id != nil {
		code := mcp.INVALID_REQUEST
		if closing {
			code = mcp.INTERNAL_ERROR
		}
		c.refuse(errorLine(call.id, code, refusal))
	}
	return !closing
}

// admit puts the call in line. c.mu is held.
func (c *stdioConn) admit(call *stdioCall) {
	if call.id != nil {
		c.open[idKey(call.id)] = call
	}
	c.owed++
	c.bytes += len(call.message)
	c.line.add(call)
	c.advance()
}

// claim reports whether the caller is the one to answer the call. From then on
// its id is free: a client may use it again as soon as it has the answer.
func (c *stdioConn) claim(call *stdioCall) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := idKey(call.id)
	if c.open[key] != call {
		return false
	}
	delete(c.open, key)
	return true
}

// leave ends a call that has run, or will not be waited for.
func (c *stdioConn) leave(call *stdioCall) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(call)
	c.advance()
}

// remove takes the call off the books. c.mu is held.
func (c *stdioConn) remove(call *stdioCall) {
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
		c.line.run(call.turn, -1)
	}
	c.bytes -= len(call.message)
	c.settle()
}

// settle notes that one thing less is owed. c.mu is held.
func (c *stdioConn) settle() {
	c.owed--
	c.room.Broadcast()
	c.rest()
}

// rest closes idle once nothing is owed. c.mu is held.
func (c *stdioConn) rest() {
	if c.closing && c.owed == 0 {
		c.resting.Do(func() { close(c.idle) })
	}
}

// cancel ends the request that a notifications/cancelled names. It is not
// answered. initialize cannot be cancelled (MCP 2025-06-18, cancellation).
func (c *stdioConn) cancel(message []byte) {
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
	key := idKey(notification.Params.RequestID)
	call := c.open[key]
	if call == nil || call.turn.rank == rankOpening {
		return
	}
	delete(c.open, key)
	if call.cancel != nil {
		call.cancel()
		return
	}
	c.line.drop(call)
	c.remove(call)
	c.advance()
}
