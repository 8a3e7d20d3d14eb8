// Package panicsafe runs functions at the same time so that a panic in one of
// them spoils the call it belongs to, and not the program. Who began a
// goroutine cannot recover what panics in it: only the goroutine itself can.
package panicsafe

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"golang.org/x/sync/errgroup"
)

// A Group runs functions at the same time, as errgroup.Group does. A panic in
// one of them is its error: see Do.
type Group struct{ all *errgroup.Group }

// New returns a group in which at most so many functions run at once. A failed
// one does not keep the others from running.
func New(limit int) Group {
	all := &errgroup.Group{}
	all.SetLimit(limit)
	return Group{all}
}

// WithContext is New with a context that ends when the first function fails, or
// when Wait returns.
func WithContext(ctx context.Context, limit int) (Group, context.Context) {
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(limit)
	return Group{all}, ctx
}

// Go runs f in a goroutine. It waits for a place when there is none.
func (g Group) Go(f func() error) {
	g.all.Go(func() error { return Do(f) })
}

// Wait waits for all functions and returns the first error.
func (g Group) Wait() error { return g.all.Wait() }

// Do returns the error of f. When f panics that is one without a code, which
// the caller of a tool hears of as INTERNAL, and the log in full. What f panicked
// with, which may quote somebody's mail, is not in it, unless the runtime
// itself said it.
func Do(f func() error) (err error) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		what := fmt.Sprintf("a %T", p)
		if fault, ok := p.(runtime.Error); ok {
			what = fault.Error()
		}
		err = fmt.Errorf("panic: %s\n%s", what, debug.Stack())
	}()
	return f()
}

// Pause waits for d. It returns ctx's error when that ends first.
func Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait: %w", ctx.Err())
	}
}
