package app

import (
	"context"
	"sync"
	"time"
)

// Inflight counts the work under way that must not be broken off: mail and
// invitations that are being sent.
type Inflight struct {
	mu        sync.Mutex
	count     int
	over      chan struct{} // closed when count falls to 0; nil while nobody waits
	signalled time.Time     // when a signal came; zero before
}

// begin is told of a piece of work, and done when it is over.
func (u *Inflight) begin() (done func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.count++
	return u.done
}

func (u *Inflight) done() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.count--
	if u.count == 0 && u.over != nil {
		close(u.over)
		u.over = nil
	}
}

// Any reports whether something is under way.
func (u *Inflight) Any() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.count > 0
}

// none returns a channel that is closed when nothing is under way.
func (u *Inflight) none() <-chan struct{} {
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

// NoteSignal notes when a signal ends ctx. Whoever calls stop first is not heeded.
func (u *Inflight) NoteSignal(ctx context.Context) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.signalled = time.Now()
	})
}

// How long the program goes on for it when all else is over.
//
// Clients want a program to be over five seconds after its input ended or a signal
// came; serving stdio takes four and a half of them, or two after a signal. Serving
// HTTP takes four and a half, and three more where a connection does not end: with
// that it is over within eight seconds, before Docker kills it at ten. What is at
// Google when the signal comes has had all that time.
const (
	graceAtEnd  = 400 * time.Millisecond  // the input ended: serving has waited
	graceSignal = 4900 * time.Millisecond // a signal came: from then on, with what serving took
)

// wait returns when all work is over, or when there is no more time. What is
// not over by then stands in the outbox as unknown.
func (u *Inflight) wait(ctx context.Context) {
	timer := time.NewTimer(u.grace(ctx))
	defer timer.Stop()
	select {
	case <-u.none():
	case <-timer.C:
	}
}

func (u *Inflight) grace(ctx context.Context) time.Duration {
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case ctx.Err() == nil:
		return graceAtEnd
	case u.signalled.IsZero(): // just now
		return graceSignal
	}
	return graceSignal - time.Since(u.signalled)
}
