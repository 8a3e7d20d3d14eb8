package mcpserver

import (
	"encoding/json"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
)

// maxQueued is the maximum number of mcp-go's notifications that wait for a relay.
const maxQueued = 64

// A notifier sends a line to a client. It reports false if too many lines wait.
type notifier interface{ Notify(line []byte) bool }

type notifierFunc func(line []byte) bool

func (f notifierFunc) Notify(line []byte) bool { return f(line) }

// A relay forwards mcp-go's notifications. It starts when mcp-go first asks for its channel.
type relay struct {
	client notifier

	mu       sync.Mutex
	notes    chan mcp.JSONRPCNotification // nil until mcp-go asks for the channel
	stop     chan struct{}
	stopped  chan struct{}
	finished bool
}

// NotificationChannel receives mcp-go's notifications. mcp-go never blocks on it: it
// drops a notification if the channel is full.
func (r *relay) NotificationChannel() chan<- mcp.JSONRPCNotification {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.notes != nil {
		return r.notes
	}
	r.notes = make(chan mcp.JSONRPCNotification, maxQueued)
	if !r.finished {
		r.stop, r.stopped = make(chan struct{}), make(chan struct{})
		go r.run()
	}
	return r.notes
}

func (r *relay) run() {
	defer close(r.stopped)
	for {
		select {
		case n := <-r.notes:
			r.send(n)
		case <-r.stop:
			for len(r.notes) > 0 {
				r.send(<-r.notes)
			}
			return
		}
	}
}

// send drops notifications that cannot be encoded, and those for a client that is too far behind.
func (r *relay) send(n mcp.JSONRPCNotification) {
	if line, err := json.Marshal(n); err == nil {
		r.client.Notify(append(line, '\n'))
	}
}

// finish returns when all earlier notifications were forwarded. Later ones are dropped.
func (r *relay) finish() {
	r.mu.Lock()
	finished, stopped := r.finished, r.stopped
	r.finished = true
	r.mu.Unlock()
	if stopped == nil {
		return
	}
	if !finished {
		close(r.stop)
	}
	<-stopped
}
