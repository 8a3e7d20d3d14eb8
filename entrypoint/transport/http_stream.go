package transport

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"
)

const (
	writeTime = 30 * time.Second // for a client to take what is written
	heartbeat = 20 * time.Second // between two signs of life on a stream
	callNotes = 64               // that a call may be ahead of its client
)

// An exchange is a request that is being answered: as JSON, or as a stream of
// events once there is something to tell before the answer.
type exchange struct {
	lines   chan outgoing // questions, and the answer, whose after is set
	noted   chan struct{} // has one when there are notes
	dropped chan struct{} // closed when there will be no answer
	left    chan struct{} // closed when nobody writes any more
	stream  eventStream
	status  func(code int) int // of an answer that is an error of that code; 0 is none

	mu    sync.Mutex
	notes [][]byte // callNotes at most
}

func newExchange(w http.ResponseWriter, status func(code int) int) *exchange {
	return &exchange{
		lines: make(chan outgoing), noted: make(chan struct{}, 1),
		dropped: make(chan struct{}), left: make(chan struct{}), stream: newEventStream(w), status: status,
	}
}

// answer hands the answer over, unless the client is gone.
func (x *exchange) answer(line []byte, after func()) {
	select {
	case x.lines <- outgoing{line, after}:
	case <-x.left:
		after()
	}
}

// question sends a request to the client.
func (x *exchange) question(ctx context.Context, line []byte) error {
	select {
	case x.lines <- outgoing{line: line}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-x.left:
		return errClientGone
	}
}

// notify sends a notification of the call, unless the client is too far behind.
func (x *exchange) notify(line []byte) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.notes) == callNotes {
		return false
	}
	x.notes = append(x.notes, line)
	select {
	case x.noted <- struct{}{}:
	default:
	}
	return true
}

// tell writes what was notified.
func (x *exchange) tell() error {
	x.mu.Lock()
	notes := x.notes
	x.notes = nil
	x.mu.Unlock()
	for _, line := range notes {
		if err := x.stream.event(line); err != nil {
			return err
		}
	}
	return nil
}

func (x *exchange) drop() { close(x.dropped) }

// serve writes until the call is answered or dropped. It reports whether the client left before.
func (x *exchange) serve(ctx context.Context, call *Call) (gone bool) {
	defer x.stream.end()
	var alive *time.Ticker // of a stream
	var beat <-chan time.Time
	var err error
	for err == nil {
		if x.stream.begun && alive == nil {
			alive = time.NewTicker(heartbeat)
			defer alive.Stop()
			beat = alive.C
		}
		select {
		case <-x.noted:
			err = x.tell()
		case m := <-x.lines:
			err = x.tell() // what was notified before the answer is written before it
			if m.after == nil {
				if err == nil {
					err = x.stream.event(m.line)
				}
				continue
			}
			if err == nil {
				_ = x.stream.finish(x.status(call.code), m.line) // a client that does not take it is gone
			}
			m.after()
			return false
		case <-x.dropped:
			x.stream.accepted()
			return false
		case <-beat:
			err = x.stream.beat()
		case <-ctx.Done():
			return true
		}
	}
	return true
}

// An eventStream writes server-sent events (the HTML standard, section 9.2), each
// at once. Its errors are those of a client that is gone or does not read.
type eventStream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	begun   bool
}

func newEventStream(w http.ResponseWriter) eventStream {
	return eventStream{w: w, control: http.NewResponseController(w)}
}

// begin sends the headers.
func (s *eventStream) begin() {
	h := s.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // a proxy between is not to collect events
	s.w.WriteHeader(http.StatusOK)
	s.begun = true
}

// event sends a message, which is one line.
func (s *eventStream) event(line []byte) error {
	if !s.begun {
		s.begin()
	}
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
	}
	const before, after = "event: message\ndata: ", "\n\n"
	text := make([]byte, 0, len(before)+len(line)+len(after))
	return s.put(append(append(append(text, before...), line...), after...))
}

// beat keeps a stream from being taken for dead, and finds out whether it is.
func (s *eventStream) beat() error {
	return s.put([]byte(":\n\n"))
}

// finish sends the last message: alone, with the status, if no other was sent.
func (s *eventStream) finish(status int, line []byte) error {
	if s.begun {
		return s.event(line)
	}
	h := s.w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(line)))
	s.w.WriteHeader(status)
	return s.put(line)
}

// accepted ends what will have no answer.
func (s *eventStream) accepted() {
	if !s.begun {
		s.w.WriteHeader(http.StatusAccepted)
	}
}

// put writes one message within the time allowed for it.
func (s *eventStream) put(text []byte) error {
	s.end()
	defer func() { _ = s.control.SetWriteDeadline(time.Time{}) }()
	if _, err := s.w.Write(text); err != nil {
		return err
	}
	return s.control.Flush()
}

// end bounds the time for what is still to be written.
func (s *eventStream) end() {
	_ = s.control.SetWriteDeadline(time.Now().Add(writeTime)) // what has none, as in tests, takes all
}

// writeError answers a request that is not carried out with an error.
func writeError(w http.ResponseWriter, status int, id []byte, code int, reason string) {
	writeErrorOf(w, status, id, rpcError{Code: code, Message: reason})
}

func writeErrorOf(w http.ResponseWriter, status int, id []byte, e rpcError) {
	s := newEventStream(w)
	defer s.end()
	_ = s.finish(status, mustAnswer(id, e)) // on an error the client is gone
}

// refuseHTTP answers what is no MCP message.
func refuseHTTP(w http.ResponseWriter, status int, reason string) {
	writeError(w, status, nil, invalidRequest, reason)
}
