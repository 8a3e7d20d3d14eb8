// Package panicsafe runs functions concurrently. A panic in one of them becomes
// an error of the tool call and does not end the program. Only a goroutine
// itself can recover from its panic; the function that started it cannot.
package panicsafe

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"golang.org/x/sync/errgroup"
)

// Group runs functions concurrently, like errgroup.Group. A panic in one of
// them becomes its error: see Do.
type Group struct{ group *errgroup.Group }

// New returns a group in which at most limit functions run at a time. A failed
// function does not stop the others.
func New(limit int) Group {
	group := &errgroup.Group{}
	group.SetLimit(limit)
	return Group{group}
}

// WithContext is New with a context that ends when the first function fails, or
// when Wait returns.
func WithContext(ctx context.Context, limit int) (Group, context.Context) {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(limit)
	return Group{group}, ctx
}

// Go runs f in a goroutine. It waits if limit functions are running.
func (g Group) Go(f func() error) {
	g.group.Go(func() error { return Do(f) })
}

// Wait waits for all functions and returns the first error.
func (g Group) Wait() error { return g.group.Wait() }

// Do calls f and returns its error, or an error if f panics. The error for a
// panic has no metadata.Code, so the caller of the tool gets INTERNAL, and the
// log gets the full error. It contains the panic's value only if that value is a
// runtime.Error; other values may quote mail.
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

// Pause waits for d. It returns ctx's error if ctx ends first.
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
