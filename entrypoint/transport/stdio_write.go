package transport

import "io"

// An outgoing message is one line.
type outgoing struct {
	line  []byte
	after func() // is called when the line was written or could not be written; nil for a request over HTTP
}

// send passes a line to write, unless ServeStdio has returned.
func (c *stdioConn) send(line []byte, after func()) {
	select {
	case c.outbox <- outgoing{line, after}:
	case <-c.stopped:
	}
}

// refuse answers a line that is not a call or that KOTA did not accept. Unless maxRefusals
// lines are queued, it does not wait for the client to read, so that read can notice the end
// of the input.
func (c *stdioConn) refuse(line []byte) {
	c.addPending()
	select {
	case c.refusals <- line:
	case <-c.stopped:
	}
}

// write writes the messages from the outbox, the refusals and the session's notifications to
// out. It writes the notifications of a call before the call's answer. After an error it
// discards all messages, so that no sender blocks.
func (c *stdioConn) write(out io.Writer, failed chan<- error) {
	w := lineWriter{out: out, failed: failed}
	for {
		select {
		case <-c.stopped:
			return
		case line := <-c.notifications:
			w.write(line)
		case line := <-c.refusals:
			w.write(line)
			c.removeWritten()
		case m := <-c.outbox:
			for range len(c.notifications) {
				w.write(<-c.notifications)
			}
			w.write(m.line)
			m.after()
		}
	}
}

// A lineWriter writes each line with one Write, until a Write fails.
type lineWriter struct {
	out    io.Writer
	failed chan<- error // gets the first error; nil after that
}

func (w *lineWriter) write(line []byte) {
	if w.failed == nil {
		return
	}
	if _, err := w.out.Write(line); err != nil {
		w.failed <- err
		w.failed = nil
	}
}
