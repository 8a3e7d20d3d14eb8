package entrypoint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/mark3labs/mcp-go/mcp"
)

// encodeAnswer returns the line that answers the request with that id, which
// is written as the client wrote it.
func encodeAnswer(id []byte, message mcp.JSONRPCMessage) ([]byte, error) {
	switch m := message.(type) {
	case mcp.JSONRPCResponse:
		if r, ok := m.Result.(*mcp.CallToolResult); ok && r != nil {
			return encodeLine(id, "result", plainResult(r))
		}
		return encodeLine(id, "result", m.Result)
	case mcp.JSONRPCError:
		return encodeLine(id, "error", m.Error)
	}
	return nil, fmt.Errorf("encode answer: unexpected %T", message)
}

func encodeLine(id []byte, member string, value any) ([]byte, error) {
	if id == nil {
		id = []byte("null")
	}
	var line bytes.Buffer
	fmt.Fprintf(&line, `{"jsonrpc":"2.0","id":%s,%q:`, id, member)
	if err := json.NewEncoder(&line).Encode(value); err != nil {
		return nil, fmt.Errorf("encode answer: %w", err)
	}
	line.Truncate(line.Len() - 1) // Encode's newline
	line.WriteString("}\n")
	return line.Bytes(), nil
}

// errorLine returns the line that answers the request with that id, nil for
// one that could not be read, with an error.
func errorLine(id []byte, code int, reason string) []byte {
	line, err := encodeLine(id, "error", mcp.NewJSONRPCErrorDetails(code, reason, nil))
	if err != nil {
		panic(fmt.Sprintf("encode a code and a string: %v", err)) // neither can fail
	}
	return line
}

// An outgoing message is one line. after is called when it was written, or
// could not be.
type outgoing struct {
	line  []byte
	after func()
}

// send hands a line to write, unless ServeStdio has returned.
func (c *stdioConn) send(line []byte, after func()) {
	select {
	case c.outbox <- outgoing{line, after}:
	case <-c.stopped:
	}
}

// refuse answers a line that is no call, or none that is accepted. It does not
// wait until the client takes the answer: who waited would not see that the
// input has ended.
func (c *stdioConn) refuse(line []byte) {
	c.owe()
	select {
	case c.refused <- line:
	case <-c.stopped:
	}
}

// write takes messages from the outbox, refusals and the session's
// notifications to out.
// What a handler notified is written before its answer. After an error nothing
// more is written, but taken still, so that nobody waits.
func (c *stdioConn) write(out io.Writer, failed chan<- error) {
	w := lineWriter{out: out, failed: failed}
	for {
		select {
		case <-c.stopped:
			return
		case n := <-c.session.notes:
			c.notify(&w, n)
		case line := <-c.refused:
			w.put(line)
			c.written()
		case m := <-c.outbox:
			for range len(c.session.notes) {
				c.notify(&w, <-c.session.notes)
			}
			w.put(m.line)
			m.after()
		}
	}
}

func (c *stdioConn) notify(w *lineWriter, n mcp.JSONRPCNotification) {
	line, err := json.Marshal(n)
	if err != nil {
		c.log.Error("encode notification", "method", n.Method, "error", err)
		return
	}
	w.put(append(line, '\n'))
}

// A lineWriter writes each line with one Write, until one fails.
type lineWriter struct {
	out    io.Writer
	failed chan<- error // gets the error; nil after that
}

func (w *lineWriter) put(line []byte) {
	if w.failed == nil {
		return
	}
	if _, err := w.out.Write(line); err != nil {
		w.failed <- err
		w.failed = nil
	}
}
