package transport

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"time"
)

const (
	writeTimeout         = 30 * time.Second // how long a client may take to read one message
	heartbeat            = 20 * time.Second // time between two heartbeats on a stream
	maxCallNotifications = 64               // maximum notifications of a call that wait for the client
)

// An exchange answers one request: as JSON, or as a stream of events if messages come
// before the answer.
type exchange struct {
	lines    chan outgoing // questions with after nil, and the answer with after set
	notified chan struct{} // signals that there are notifications
	dropped  chan struct{} // closed when there will be no answer
	closed   chan struct{} // closed when serve has returned
	stream   eventStream
	status   func(code int) int // the HTTP status for the error code of the answer; 0 is a result
	draining func() bool        // reports whether the server ends

	mu            sync.Mutex
	notifications [][]byte // at most maxCallNotifications
}

func (e *Endpoint) newExchange(w http.ResponseWriter, status func(code int) int) *exchange {
	return &exchange{
		lines: make(chan outgoing), notified: make(chan struct{}, 1),
		dropped: make(chan struct{}), closed: make(chan struct{}), stream: newEventStream(w), status: status, draining: e.isDraining,
	}
}

// answer passes the answer to serve, unless the client is gone.
func (x *exchange) answer(line []byte, after func()) {
	select {
	case x.lines <- outgoing{line, after}:
	case <-x.closed:
		after()
	}
}

// sendRequest sends a request to the client.
func (x *exchange) sendRequest(ctx context.Context, line []byte) error {
	select {
	case x.lines <- outgoing{line: line}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-x.closed:
		return errClientGone
	}
}

// notify queues a notification of the call. It reports false if too many notifications wait.
func (x *exchange) notify(line []byte) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.notifications) == maxCallNotifications {
		return false
	}
	x.notifications = append(x.notifications, line)
	select {
	case x.notified <- struct{}{}:
	default:
	}
	return true
}

// writeNotifications writes the queued notifications.
func (x *exchange) writeNotifications() error {
	x.mu.Lock()
	queued := x.notifications
	x.notifications = nil
	x.mu.Unlock()
	for _, line := range queued {
		if err := x.stream.writeEvent(line); err != nil {
			return err
		}
	}
	return nil
}

func (x *exchange) drop() { close(x.dropped) }

// serve writes messages until the call is answered or dropped. It reports whether the
// client left, or ctx ended, before that.
func (x *exchange) serve(ctx context.Context, call *Call) (gone bool) {
	defer x.stream.setDeadline()
	var alive *time.Ticker // for a stream
	var beat <-chan time.Time
	var err error
	for err == nil {
		if x.stream.begun && alive == nil {
			alive = time.NewTicker(heartbeat)
			defer alive.Stop()
			beat = alive.C
		}
		select {
		case <-x.notified:
			err = x.writeNotifications()
		case m := <-x.lines:
			err = x.writeNotifications() // notifications from before this message come first
			if m.after == nil {
				if err == nil {
					err = x.stream.writeEvent(m.line)
				}
				continue
			}
			if err == nil && call.Method == methodListen && x.draining() {
				err = x.stream.writeRetry()
			}
			if err == nil {
				_ = x.stream.finish(x.status(call.code), m.line) // if this fails, the client is gone
			}
			m.after()
			return false
		case <-x.dropped:
			x.stream.finishEmpty()
			return false
		case <-beat:
			err = x.stream.writeHeartbeat()
		case <-ctx.Done():
			return true
		}
	}
	return true
}

// An eventStream writes server-sent events (the HTML standard, section 9.2) and flushes each
// event. An error means that the client is gone or does not read.
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
	h.Set("X-Accel-Buffering", "no") // a proxy must not buffer events
	s.w.WriteHeader(http.StatusOK)
	s.begun = true
}

// writeEvent sends a message, which is one line.
func (s *eventStream) writeEvent(line []byte) error {
	if !s.begun {
		s.begin()
	}
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
	}
	const before, after = "event: message\ndata: ", "\n\n"
	text := make([]byte, 0, len(before)+len(line)+len(after))
	return s.write(append(append(append(text, before...), line...), after...))
}

// writeHeartbeat shows that the stream is alive, and fails if the client is gone.
func (s *eventStream) writeHeartbeat() error {
	return s.write([]byte(":\n\n"))
}

// writeRetry tells the client of a stream that ends when to connect again. The time is random, so
// that the clients of a server that ends do not all come to the next one together.
func (s *eventStream) writeRetry() error {
	if !s.begun {
		return nil
	}
	return s.write(fmt.Appendf(nil, "retry: %d\n\n", 500+rand.IntN(1500)))
}

// finish sends the last message: as an event, or as JSON with the status if the stream has not
// begun.
func (s *eventStream) finish(status int, line []byte) error {
	if s.begun {
		return s.writeEvent(line)
	}
	h := s.w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(line)))
	s.w.WriteHeader(status)
	return s.write(line)
}

// finishEmpty ends a request that gets no answer.
func (s *eventStream) finishEmpty() {
	if !s.begun {
		s.w.WriteHeader(http.StatusAccepted)
	}
}

// write writes one message and limits the time for it.
func (s *eventStream) write(text []byte) error {
	s.setDeadline()
	defer func() { _ = s.control.SetWriteDeadline(time.Time{}) }()
	if _, err := s.w.Write(text); err != nil {
		return err
	}
	return s.control.Flush()
}

// setDeadline limits the time for the rest of the answer.
func (s *eventStream) setDeadline() {
	_ = s.control.SetWriteDeadline(time.Now().Add(writeTimeout)) // ignores the error of writers without deadlines, as in tests
}

// writeError answers a refused request with an error.
func writeError(w http.ResponseWriter, status int, id []byte, code int, reason string) {
	writeErrorOf(w, status, id, rpcError{Code: code, Message: reason})
}

// writeErrorOf is writeError for an error that may have data.
func writeErrorOf(w http.ResponseWriter, status int, id []byte, e rpcError) {
	s := newEventStream(w)
	defer s.setDeadline()
	_ = s.finish(status, mustAnswer(id, e)) // if this fails, the client is gone
}

// refuseHTTP answers a refused request with an error that has no id.
func refuseHTTP(w http.ResponseWriter, status int, reason string) {
	writeError(w, status, nil, invalidRequest, reason)
}
