package transport

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"time"
)

// How long ServeStdio continues after its input ended or its ctx was cancelled.
const (
	EndGrace    = 3500 * time.Millisecond // time for running calls after the end of the input
	cancelGrace = time.Second             // time for running calls after ctx was cancelled
	yieldGrace  = 500 * time.Millisecond  // more time for calls after their own context was cancelled
	flushGrace  = 500 * time.Millisecond  // time to write the last answers
)

// ServeStdio serves one MCP client. The client writes one JSON-RPC message per line to in
// and reads one message per line from out. ServeStdio writes only messages to out, each with
// one Write. A handler can serve one client on stdio at a time.
//
// Input. A line that is not a message gets one error (-32700 if it is not JSON, -32600
// otherwise), and reading continues. Blank lines and invalid notifications or responses get
// no answer. A line may have 4 MiB and 512 levels of nesting. ServeStdio does not keep a
// longer line in memory. It sends ids back byte for byte. It refuses a request if its id is
// still in use. It stops reading while 10,000 calls are unanswered, their messages fill
// 4.5 MiB, or 1,000 refusals wait for the client.
//
// Order. Requests run at the same time, with two exceptions. The first is initialize: all
// later requests wait for its answer. The second is a tools/call that does not only read.
// It waits for the answers to all earlier tool calls and reads. All later tool calls and
// reads wait for its answer. Reads are tool calls that only read, resources/read,
// prompts/get and completion/complete. So a client that does not wait for answers still
// reads what it wrote.
//
// Calls that work on a remote account and calls that work on local data do not wait for one
// another. So a slow Google does not delay local calls. Calls stop waiting for a call that
// runs for more than 5 s or asks the user something. At most 24 calls of each of these two
// kinds run at the same time.
//
// Cancellation. A notifications/cancelled ends its request, whether the request has begun
// or not. The request gets no answer, as MCP requires.
//
// End. When in ends, ServeStdio answers every request that it has read. The handler has
// 3.5 s, and then 0.5 s with its context cancelled. After that, the answer is error
// -32603, which says whether the request had begun. When ctx is cancelled, the handler
// has 1 s and then 0.5 s. In both cases ServeStdio returns nil within 5 s. A handler
// that ignores its context may still run then, and a Read of in or a Write to out may
// still wait. If out fails because the client is gone, ServeStdio cancels the calls and
// returns the error.
func ServeStdio(ctx context.Context, h Handler, in io.Reader, out io.Writer, log *slog.Logger) error {
	c := &stdioConn{
		outbox:   make(chan outgoing),
		refusals: make(chan []byte, maxRefusals),
		stopped:  make(chan struct{}),
	}
	var err error
	if c.conn, err = newConn(ctx, h, log, "stdio"); err != nil {
		return fmt.Errorf("open stdio session: %w", err)
	}
	defer c.cancelCalls()
	ended, failed := make(chan struct{}), make(chan error, 1)
	go c.read(in, ended)
	go c.write(out, failed)
	defer close(c.stopped)

	select {
	case <-ended:
		c.drain(EndGrace, ctx.Done())
	case <-ctx.Done():
		c.drain(cancelGrace, nil)
	case err := <-failed:
		failed <- err
		c.drain(0, nil)
	}
	select {
	case err := <-failed:
		return fmt.Errorf("write to client: %w", err)
	default:
		return nil
	}
}

// A stdioConn is one client's connection.
type stdioConn struct {
	*conn
	outbox   chan outgoing // messages for write
	refusals chan []byte   // error lines that answer no call
	stopped  chan struct{} // closed when ServeStdio returns
}

// read accepts the lines of in, and closes ended after the last line.
func (c *stdioConn) read(in io.Reader, ended chan<- struct{}) {
	defer close(ended)
	lines := &lineReader{in: bufio.NewReaderSize(in, 64<<10)}
	for {
		message, e, err := lines.next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			c.log.Warn("read from client", "error", err)
			return
		}
		if !c.accept(message, e) {
			return
		}
	}
}

// accept handles one line. It returns false if the connection is closing.
func (c *stdioConn) accept(message []byte, e envelope) bool {
	switch e.kind {
	case isRefused:
		c.log.Debug("refused a line", "reason", e.reason)
		c.refuse(ErrorLine(e.id, e.code, e.reason))
	case isResponse:
		c.handleResponse(e.id, message)
	case isNotification, isRequest:
		if e.isCancel() {
			c.handleCancelled(message)
			return true
		}
		call := c.newCall(e, message)
		call.answer, call.ask = c.send, c.sendRequest
		refusal, closing := c.submit(context.Background(), math.MaxInt64, call)
		if refusal != nil && call.ID != nil {
			c.refuse(ErrorLine(call.ID, refusal.Code, refusal.Message))
		}
		return !closing
	}
	return true
}

// sendRequest writes a request to the client.
func (c *stdioConn) sendRequest(ctx context.Context, line []byte) error {
	select {
	case c.outbox <- outgoing{line: line, after: func() {}}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-c.stopped:
		return errClientGone
	}
}
