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

	done  chan struct{}
	ended context.Context // is done when this context is, and starts the functions given to AfterFunc
	end   context.CancelFunc

	mu      sync.Mutex
	err     error
	timer   *time.Timer
	ends    time.Time
	left    time.Duration // the time left while the clock is stopped
	waiting int           // how many answers are awaited
}

// withDeadline returns ctx with that much time to work, and a function that frees it.
func withDeadline(ctx context.Context, most time.Duration) (context.Context, func()) {
	d := &pausableDeadline{Context: ctx, done: make(chan struct{}), ends: time.Now().Add(most)}
	d.ended, d.end = context.WithCancel(context.WithoutCancel(ctx))
	d.mu.Lock() // a timer that fires at once must find d.timer set
	d.timer = time.AfterFunc(most, func() { d.over(context.DeadlineExceeded) })
	d.mu.Unlock()
	stop := context.AfterFunc(ctx, func() { d.over(ctx.Err()) })
	return d, func() { stop(); d.over(context.Canceled) }
}

// over ends the context, once.
func (d *pausableDeadline) over(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil || err == context.DeadlineExceeded && d.waiting > 0 && d.Context.Err() == nil {
		return
	}
	d.err = err
	d.timer.Stop()
	close(d.done)
	d.end()
}

// deadlineKey is the context key of the deadline.
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
	ends := d.ends
	if d.waiting > 0 {
		ends = time.Now().Add(d.left)
	}
	if earlier, ok := d.Context.Deadline(); ok && earlier.Before(ends) {
		return earlier, true
	}
	return ends, true
}

// AfterFunc lets package context end derived contexts without a goroutine for each.
func (d *pausableDeadline) AfterFunc(f func()) (stop func() bool) {
	return context.AfterFunc(d.ended, f)
}

// PauseDeadline stops the clock of the call in ctx while a person is asked, who may
// take their time. The caller calls resume once.
func PauseDeadline(ctx context.Context) (resume func()) {
	d, ok := ctx.Value(deadlineKey{}).(*pausableDeadline)
	if !ok {
		return func() {}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.waiting++; d.waiting == 1 {
		d.timer.Stop()
		d.left = time.Until(d.ends)
	}
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.waiting--; d.waiting == 0 && d.err == nil {
			d.ends = time.Now().Add(d.left)
			d.timer.Reset(d.left)
		}
	}
}
