package entrypoint

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

const (
	maxOwed    = 10_000          // calls accepted and not answered
	maxBytes   = 2 * maxLine     // of their messages together
	maxOrdered = 32              // calls with a rank that run at the same time
	placeLimit = 5 * time.Second // how long a call may keep others waiting
)

// A stdioCall is a request or notification on its way.
type stdioCall struct {
	id      []byte // as the client wrote it; nil for a notification
	method  string
	message json.RawMessage
	rank    rank

	// The rest is guarded by stdioConn.mu.
	cancel context.CancelFunc // nil until it has begun
	gone   bool               // it is no longer owed
	placed bool               // it keeps others waiting
	timer  *time.Timer        // gives up its place
}

// A rank says what a call waits for.
type rank int

const (
	rankFree    rank = iota // waits for initialize alone
	rankRead                // and for the writes before it
	rankWrite               // and for the reads and writes before it
	rankOpening             // initialize: everything after it waits
)

func (c *stdioConn) rank(e envelope) rank {
	switch mcp.MCPMethod(e.method) {
	case mcp.MethodInitialize:
		return rankOpening
	case mcp.MethodResourcesRead, mcp.MethodPromptsGet, mcp.MethodCompletionComplete:
		return rankRead
	case mcp.MethodToolsCall:
		tool := c.server.GetTool(e.tool)
		if tool != nil && tool.Tool.Annotations.ReadOnlyHint != nil && *tool.Tool.Annotations.ReadOnlyHint {
			return rankRead
		}
		return rankWrite
	}
	return rankFree
}

// A callOrder decides which calls may begin. It is guarded by stdioConn.mu.
type callOrder struct {
	waiting []*stdioCall // in order of arrival
	halted  bool         // no more calls begin
	opening int          // placed calls of each rank
	reading int
	writing int
	ordered int // calls with a rank that run, placed or not
}

// place counts a call of that rank in, or out with -1.
func (o *callOrder) place(r rank, n int) {
	switch r {
	case rankRead:
		o.reading += n
	case rankWrite:
		o.writing += n
	case rankOpening:
		o.opening += n
	}
}

// admits reports whether a call of that rank may begin. behind says that a
// ranked call which came before it still waits.
func (o *callOrder) admits(r rank, behind bool) bool {
	switch {
	case o.halted || o.opening > 0:
		return false
	case r == rankFree, r == rankOpening:
		return true
	case behind || o.writing > 0 || o.ordered >= maxOrdered:
		return false
	}
	return r == rankRead || o.reading == 0
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
		c.post(errorLine(call.id, code, refusal))
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
	c.line.waiting = append(c.line.waiting, call)
	c.advance()
}

// advance begins the calls whose turn it is. c.mu is held.
func (c *stdioConn) advance() {
	behind := false
	c.line.waiting = slices.DeleteFunc(c.line.waiting, func(call *stdioCall) bool {
		if !c.line.admits(call.rank, behind) {
			behind = behind || call.rank != rankFree
			return false
		}
		c.begin(call)
		return true
	})
}

// begin runs the call. c.mu is held.
func (c *stdioConn) begin(call *stdioCall) {
	ctx := context.WithValue(c.calls, stdioCallKey{}, call)
	ctx, call.cancel = context.WithCancel(ctx)
	if call.rank != rankFree {
		call.placed = true
		c.line.place(call.rank, 1)
		c.line.ordered++
	}
	if call.rank == rankRead || call.rank == rankWrite {
		call.timer = time.AfterFunc(placeLimit, func() { c.yield(call) })
	}
	go c.run(ctx, call)
}

type stdioCallKey struct{}

// yield lets the calls behind this one begin, although it still runs.
func (c *stdioConn) yield(call *stdioCall) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.giveUpPlace(call)
	c.advance()
}

func (c *stdioConn) giveUpPlace(call *stdioCall) {
	if call.placed {
		call.placed = false
		c.line.place(call.rank, -1)
	}
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
		if call.rank != rankFree {
			c.line.ordered--
		}
	}
	if call.timer != nil {
		call.timer.Stop()
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
	if call == nil || call.rank == rankOpening {
		return
	}
	delete(c.open, key)
	if call.cancel != nil {
		call.cancel()
		return
	}
	c.line.waiting = slices.DeleteFunc(c.line.waiting, func(w *stdioCall) bool { return w == call })
	c.remove(call)
	c.advance()
}
