package entrypoint

import (
	"context"
	"sync"
	"time"
)

// A limit is the context of a call that has so much time to work. What passes
// while its user is asked is not work: the clock stands still then.
type limit struct {
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

// limited returns ctx with so much time to work, and what frees it.
func limited(ctx context.Context, most time.Duration) (context.Context, func()) {
	l := &limit{Context: ctx, done: make(chan struct{}), ends: time.Now().Add(most)}
	l.ended, l.end = context.WithCancel(context.WithoutCancel(ctx))
	l.mu.Lock() // a time that is over at once waits for its timer
	l.timer = time.AfterFunc(most, func() { l.over(context.DeadlineExceeded) })
	l.mu.Unlock()
	stop := context.AfterFunc(ctx, func() { l.over(ctx.Err()) })
	return l, func() { stop(); l.over(context.Canceled) }
}

// over ends it, once.
func (l *limit) over(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil || err == context.DeadlineExceeded && l.waiting > 0 && l.Context.Err() == nil {
		return
	}
	l.err = err
	l.timer.Stop()
	close(l.done)
	l.end()
}

// limitKey is the key by which a context below finds its limit.
type limitKey struct{}

func (l *limit) Value(key any) any {
	if _, ok := key.(limitKey); ok {
		return l
	}
	return l.Context.Value(key)
}

func (l *limit) Done() <-chan struct{} { return l.done }

func (l *limit) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

func (l *limit) Deadline() (time.Time, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	ends := l.ends
	if l.waiting > 0 {
		ends = time.Now().Add(l.left)
	}
	if earlier, ok := l.Context.Deadline(); ok && earlier.Before(ends) {
		return earlier, true
	}
	return ends, true
}

// AfterFunc is how package context ends what derives from a context that is not
// its own, without a goroutine for each.
func (l *limit) AfterFunc(f func()) (stop func() bool) { return context.AfterFunc(l.ended, f) }

// unhurried stops the clock of the call in ctx until the function that it
// returns is called, once: somebody is asked who may take their time.
func unhurried(ctx context.Context) (resume func()) {
	l, ok := ctx.Value(limitKey{}).(*limit)
	if !ok {
		return func() {}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting++; l.waiting == 1 {
		l.timer.Stop()
		l.left = time.Until(l.ends)
	}
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.waiting--; l.waiting == 0 && l.err == nil {
			l.ends = time.Now().Add(l.left)
			l.timer.Reset(l.left)
		}
	}
}
