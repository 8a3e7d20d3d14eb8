package entrypoint

import (
	"context"
	"sync"
	"time"
)

// A pausableDeadline is the context of a call that has so much time to work. What passes
// while its user is asked is not work: the clock stands still then.
type pausableDeadline struct {
	context.Context // of the caller

	done  chan struct{}
	ended context.Context // is done when this is, and starts what AfterFunc was given
	end   context.CancelFunc

	mu      sync.Mutex
	err     error
	timer   *time.Timer
	ends    time.Time
	left    time.Duration // while it stands still
	waiting int           // for how many answers
}

// withDeadline returns ctx with so much time to work, and what frees it.
func withDeadline(ctx context.Context, most time.Duration) (context.Context, func()) {
	d := &pausableDeadline{Context: ctx, done: make(chan struct{}), ends: time.Now().Add(most)}
	d.ended, d.end = context.WithCancel(context.WithoutCancel(ctx))
	d.mu.Lock() // a time that is over at once waits for its timer
	d.timer = time.AfterFunc(most, func() { d.over(context.DeadlineExceeded) })
	d.mu.Unlock()
	stop := context.AfterFunc(ctx, func() { d.over(ctx.Err()) })
	return d, func() { stop(); d.over(context.Canceled) }
}

// over ends it, once.
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

// deadlineKey is the key by which a context below finds its deadline.
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

// AfterFunc is how package context ends what derives from a context that is not
// its own, without a goroutine for each.
func (d *pausableDeadline) AfterFunc(f func()) (stop func() bool) {
	return context.AfterFunc(d.ended, f)
}

// PauseDeadline stops the clock of the call in ctx until the function that it
// returns is called, once: somebody is asked who may take their time.
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
