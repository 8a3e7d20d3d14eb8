package transport

import "io"

// An outgoing message is one line. after is called when it was written or failed.
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

// refuse answers a line that is no call, or is not accepted. It does not wait for the
// client, so as to see the end of the input.
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
		case line := <-c.notes:
			w.put(line)
		case line := <-c.refused:
			w.put(line)
			c.written()
		case m := <-c.outbox:
			for range len(c.notes) {
				w.put(<-c.notes)
			}
			w.put(m.line)
			m.after()
		}
	}
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
