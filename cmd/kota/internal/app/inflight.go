package app

import (
	"context"
	"sync"
	"time"
)

// Inflight counts the work under way that must not be interrupted, such as
// sending mail and invitations.
type Inflight struct {
	mu         sync.Mutex
	count      int
	idle       chan struct{} // closed when count becomes 0; nil while nobody waits
	signalTime time.Time     // when a signal arrived; zero before
}

// begin counts a piece of work until done is called.
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
	if u.count == 0 && u.idle != nil {
		close(u.idle)
		u.idle = nil
	}
}

// Any reports whether work is under way.
func (u *Inflight) Any() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.count > 0
}

// whenIdle returns a channel that is closed once no work is under way.
func (u *Inflight) whenIdle() <-chan struct{} {
	u.mu.Lock()
	defer u.mu.Unlock()
	over := make(chan struct{})
	if u.count == 0 {
		close(over)
		return over
	}
	u.idle = over
	return over
}

// NoteSignal records the time when a signal ends ctx, unless stop is called
// first.
func (u *Inflight) NoteSignal(ctx context.Context) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.signalTime = time.Now()
	})
}

// These limits say how long the program waits for work under way once
// everything else has ended.
//
// Clients expect a program to end within five seconds after its input ends or a
// signal arrives. Serving over stdio ends within 4.5 seconds, or within two
// after a signal. Serving over HTTP ends within 4.5 seconds, or 7.5 if a
// connection does not end. The HTTP server thus ends before Docker kills the
// program after ten seconds. Requests to Google under way can use all that time.
const (
	graceAtEnd  = 400 * time.Millisecond  // the input ended; serving has waited already
	graceSignal = 4900 * time.Millisecond // counted from the signal, so it includes the time that serving took to end
)

// wait returns when all work has ended, or when the time is up. Work that has
// not ended by then is in the outbox as unknown.
func (u *Inflight) wait(ctx context.Context) {
	timer := time.NewTimer(u.grace(ctx))
	defer timer.Stop()
	select {
	case <-u.whenIdle():
	case <-timer.C:
	}
}

func (u *Inflight) grace(ctx context.Context) time.Duration {
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case ctx.Err() == nil:
		return graceAtEnd
	case u.signalTime.IsZero(): // the time of the signal is not recorded yet
		return graceSignal
	}
	return graceSignal - time.Since(u.signalTime)
}
