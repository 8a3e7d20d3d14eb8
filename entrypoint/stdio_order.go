package entrypoint

import (
	"context"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

const (
	maxRunning = 32              // reads and writes that run at the same time
	placeLimit = 5 * time.Second // how long a call may keep others waiting
)

// A rank says what a call waits for.
type rank int

const (
	rankFree    rank = iota // waits for initialize alone
	rankRead                // and for the writes before it
	rankWrite               // and for the reads and writes before it
	rankOpening             // initialize: everything after it waits
)

// ordered reports whether the call waits for calls other than initialize.
func (call *stdioCall) ordered() bool { return call.rank == rankRead || call.rank == rankWrite }

// rank returns the rank of a request. A tool that is unknown, or does not say
// that it only reads, writes.
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
	ranked   []*stdioCall // reads and writes that wait, in order of arrival
	unranked []*stdioCall // what else waits, for initialize
	halted   bool         // no more calls begin

	opening int // placed calls of each rank
	reading int
	writing int
	running int // reads and writes that run, placed or not
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

// admits reports whether a call of that rank, the first of its line, may begin.
func (o *callOrder) admits(r rank) bool {
	switch {
	case o.halted || o.opening > 0:
		return false
	case r == rankRead:
		return o.writing == 0 && o.running < maxRunning
	case r == rankWrite:
		return o.writing+o.reading == 0 && o.running < maxRunning
	}
	return true
}

// lineOf returns the line that the call waits in.
func (c *stdioConn) lineOf(call *stdioCall) *[]*stdioCall {
	if call.ordered() {
		return &c.line.ranked
	}
	return &c.line.unranked
}

// advance begins the calls whose turn it is. c.mu is held.
func (c *stdioConn) advance() {
	for _, line := range []*[]*stdioCall{&c.line.unranked, &c.line.ranked} {
		for len(*line) > 0 && c.line.admits((*line)[0].rank) {
			first := (*line)[0]
			(*line)[0] = nil // lets its message go
			*line = (*line)[1:]
			c.begin(first)
		}
	}
}

// begin runs the call. c.mu is held.
func (c *stdioConn) begin(call *stdioCall) {
	ctx := context.WithValue(c.calls, stdioCallKey{}, call)
	ctx, call.cancel = context.WithCancel(ctx)
	if call.rank != rankFree {
		call.placed = true
		c.line.place(call.rank, 1)
	}
	if call.ordered() {
		c.line.running++
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
