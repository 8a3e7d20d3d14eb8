package entrypoint

import (
	"context"
	"sync"
	"time"
)

// A pausableDeadline is the context of a call with limited time to work. The clock
// stops while the user is asked a question.
type pausableDeadline struct {
	context.Context // the caller's context

	done              chan struct{}
	doneContext       context.Context // ends with this context; AfterFunc uses it
	cancelDoneContext context.CancelFunc

	mu        sync.Mutex
	err       error
	timer     *time.Timer
	expires   time.Time
	remaining time.Duration // the time left while the clock is stopped
	pauses    int           // number of questions that wait for an answer
}

// withDeadline returns ctx limited to the timeout, and a function that ends the context
// and releases its timer.
func withDeadline(ctx context.Context, timeout time.Duration) (context.Context, func()) {
	d := &pausableDeadline{Context: ctx, done: make(chan struct{}), expires: time.Now().Add(timeout)}
	d.doneContext, d.cancelDoneContext = context.WithCancel(context.WithoutCancel(ctx))
	d.mu.Lock() // a timer that fires at once must find d.timer set
	d.timer = time.AfterFunc(timeout, func() { d.finish(context.DeadlineExceeded) })
	d.mu.Unlock()
	stop := context.AfterFunc(ctx, func() { d.finish(ctx.Err()) })
	return d, func() { stop(); d.finish(context.Canceled) }
}

// finish ends the context, once. The timer does not end it while a question waits.
func (d *pausableDeadline) finish(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil || err == context.DeadlineExceeded && d.pauses > 0 && d.Context.Err() == nil {
		return
	}
	d.err = err
	d.timer.Stop()
	close(d.done)
	d.cancelDoneContext()
}

type deadlineKey struct{}

func (d *pausableDeadline) Value(key any) any {
	if _, ok := key.(deadlineKey); ok {
		return d
	}
	return d.Context.Value(key)
}

func (d *pausableDeadline) Done() <-chan struct{} { return d.done }

func (d *pausableDeadline) Err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.err
}

func (d *pausableDeadline) Deadline() (time.Time, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	expires := d.expires
	if d.pauses > 0 {
		expires = time.Now().Add(d.remaining)
	}
	if earlier, ok := d.Context.Deadline(); ok && earlier.Before(expires) {
		return earlier, true
	}
	return expires, true
}

// AfterFunc lets package context end derived contexts without a goroutine for each.
func (d *pausableDeadline) AfterFunc(f func()) (stop func() bool) {
	return context.AfterFunc(d.doneContext, f)
}

// PauseDeadline stops the clock of the call in ctx while a person reads a question. The
// caller calls resume once.
func PauseDeadline(ctx context.Context) (resume func()) {
	d, ok := ctx.Value(deadlineKey{}).(*pausableDeadline)
	if !ok {
		return func() {}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.pauses++; d.pauses == 1 {
		d.timer.Stop()
		d.remaining = time.Until(d.expires)
	}
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.pauses--; d.pauses == 0 && d.err == nil {
			d.expires = time.Now().Add(d.remaining)
			d.timer.Reset(d.remaining)
		}
	}
}
