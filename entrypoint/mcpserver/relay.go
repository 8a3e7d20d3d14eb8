package mcpserver

import (
	"encoding/json"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
)

// relayed is the maximum number of mcp-go's notifications that wait for a relay.
const relayed = 64

// A notifier sends a line to a client. It reports false if the line does not fit.
type notifier interface{ Notify(line []byte) bool }

type notifierFunc func(line []byte) bool

func (f notifierFunc) Notify(line []byte) bool { return f(line) }

// A relay forwards mcp-go's notifications. It runs from the first notification on.
type relay struct {
	to notifier

	starting sync.Mutex
	notes    chan mcp.JSONRPCNotification // nil before the first
	stop     chan struct{}
	stopped  chan struct{}
	over     bool
}

// NotificationChannel receives mcp-go's notifications. mcp-go never blocks on it: it
// drops a notification if the channel is full.
func (r *relay) NotificationChannel() chan<- mcp.JSONRPCNotification {
	r.starting.Lock()
	defer r.starting.Unlock()
	if r.notes != nil {
		return r.notes
	}
	r.notes = make(chan mcp.JSONRPCNotification, relayed)
	if !r.over {
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
		r.to.Notify(append(line, '\n'))
	}
}

// finish returns when all earlier notifications were forwarded. Later ones are dropped.
func (r *relay) finish() {
	r.starting.Lock()
	over, stopped := r.over, r.stopped
	r.over = true
	r.starting.Unlock()
	if stopped == nil {
		return
	}
	if !over {
		close(r.stop)
	}
	<-stopped
}
