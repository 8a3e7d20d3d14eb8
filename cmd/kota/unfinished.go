package main

import (
	"context"
	"sync"
	"time"
)

// unfinished counts the work under way that must not be broken off: mail and
// invitations that are being sent.
type unfinished struct {
	mu    sync.Mutex
	count int
	over  chan struct{} // closed when count falls to 0; nil while nobody waits
}

// begin is told of a piece of work, and done when it is over.
func (u *unfinished) begin() (done func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.count++
	return u.done
}

func (u *unfinished) done() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.count--
	if u.count == 0 && u.over != nil {
		close(u.over)
		u.over = nil
	}
}

// any reports whether something is under way.
func (u *unfinished) any() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.count > 0
}

// none returns a channel that is closed when nothing is under way.
func (u *unfinished) none() <-chan struct{} {
	u.mu.Lock()
	defer u.mu.Unlock()
	over := make(chan struct{})
	if u.count == 0 {
		close(over)
		return over
	}
	u.over = over
	return over
}

// How long the program goes on for it when all else is over. With what serving
// has waited already it ends within five seconds, as clients want it.
const (
	graceAtEnd    = 400 * time.Millisecond  // the input ended: serving has waited four and a half seconds
	graceAtSignal = 2900 * time.Millisecond // a signal came: serving has waited two
)

// wait returns when all work is over, or when there is no more time. What is
// not over by then stands in the outbox as unknown.
func (u *unfinished) wait(ctx context.Context) {
	grace := graceAtEnd
	if ctx.Err() != nil {
		grace = graceAtSignal
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-u.none():
	case <-timer.C:
	}
}
