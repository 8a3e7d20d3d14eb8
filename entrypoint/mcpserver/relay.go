package mcpserver

import (
	"encoding/json"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
)

// relayed is how many notifications of mcp-go may wait for a relay.
const relayed = 64

// A notifier sends a line to a client. It reports whether there was room for it.
type notifier interface{ Notify(line []byte) bool }

type notifierFunc func(line []byte) bool

func (f notifierFunc) Notify(line []byte) bool { return f(line) }

// A relay hands on what mcp-go notifies. It runs from the first notification.
type relay struct {
	to notifier

	starting sync.Mutex
	notes    chan mcp.JSONRPCNotification // nil before the first
	stop     chan struct{}
	stopped  chan struct{}
	over     bool
}

// NotificationChannel takes what mcp-go notifies. It never blocks: mcp-go
// drops what does not fit.
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

// send drops what cannot be encoded, and what the client is too far behind for.
func (r *relay) send(n mcp.JSONRPCNotification) {
	if line, err := json.Marshal(n); err == nil {
		r.to.Notify(append(line, '\n'))
	}
}

// finish returns when all earlier notifications were handed on. It drops later ones.
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
