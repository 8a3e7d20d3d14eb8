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

// How long ServeStdio goes on after its input ended or ctx was cancelled.
const (
	endGrace    = 3500 * time.Millisecond // for calls in flight, when the input ended
	cancelGrace = time.Second             // the same, when ctx was cancelled
	yieldGrace  = 500 * time.Millisecond  // for calls to answer once their ctx is cancelled
	flushGrace  = 500 * time.Millisecond  // for the last answers to be taken
)

// ServeStdio serves one MCP client that writes a JSON-RPC message per line to
// in and reads one per line from out. Nothing but messages is written to out,
// each with one Write. One handler can be served once at a time.
//
// Input. A line that is not a message is answered with one error (-32700 when
// it is not JSON, -32600 otherwise) and the next line is read. Lines may hold
// 4 MiB and nest 512 levels; a longer line is dropped while it is read. Ids
// are given back byte for byte. The id of a request that is still being
// served is refused. From a client for which 10,000 answers or 1,000 refusals
// wait no more is read until it has read some.
//
// Order. Requests are served at the same time, with two exceptions: initialize
// is answered before anything after it is begun, and a tools/call that is not
// annotated read-only has its place in line: it begins when the reads
// (read-only calls, resources/read, prompts/get, completion/complete) and
// calls before it are answered, and those after it begin when it is. So a
// client that does not wait for answers still reads what it wrote. There are two
// such lines, one of the tools that are annotated as meeting an open world, one
// of all else: what waits for Google keeps nobody else waiting. A call that
// takes longer than 5 s, or asks the user something, gives up its place.
//
// Cancellation. A notifications/cancelled ends its request, running or not, and
// the request is not answered, as MCP wants it.
//
// End. When in ends, every request that was read is answered: by its handler,
// if it finishes within 3.5 s, or 4 s with its context cancelled, else with
// error -32603, which says whether it had begun. When ctx is cancelled the same
// happens with 1 s and 1.5 s. Either way ServeStdio returns nil within 5 s,
// although a handler that ignores its context may still run, and a Read of in
// or a Write to out may still wait. When out fails (the client is gone), calls
// are cancelled and its error is returned.
func ServeStdio(ctx context.Context, h Handler, in io.Reader, out io.Writer, log *slog.Logger) error {
	c := &stdioConn{
		outbox:  make(chan outgoing),
		refused: make(chan []byte, maxRefused),
		stopped: make(chan struct{}),
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
		c.drain(endGrace, ctx.Done())
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
	outbox  chan outgoing // taken by write
	refused chan []byte   // error lines that answer no call, for write
	stopped chan struct{} // closed when ServeStdio returns
}

// read accepts the lines of in, and closes ended after the last.
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

// accept takes in one line. It returns false when the connection is closing.
func (c *stdioConn) accept(message []byte, e envelope) bool {
	switch e.kind {
	case isRefused:
		c.log.Debug("refused a line", "reason", e.reason)
		c.refuse(ErrorLine(e.id, e.code, e.reason))
	case isResponse:
		c.answered(e.id, message)
	case isNotification, isRequest:
		if e.isCancel() {
			c.cancel(message)
			return true
		}
		call := c.newCall(e, message)
		call.answer, call.ask = c.send, c.question
		refusal, closing := c.enter(context.Background(), math.MaxInt64, call)
		if refusal != nil && call.ID != nil {
			c.refuse(ErrorLine(call.ID, refusal.Code, refusal.Message))
		}
		return !closing
	}
	return true
}

// question writes a request to the client.
func (c *stdioConn) question(ctx context.Context, line []byte) error {
	select {
	case c.outbox <- outgoing{line: line, after: func() {}}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-c.stopped:
		return errClientGone
	}
}
