package transport

import (
	"context"
	"time"
)

type principalKey struct{}

// WithPrincipal returns ctx for a request of that person's or program's.
func WithPrincipal(ctx context.Context, who string) context.Context {
	return context.WithValue(ctx, principalKey{}, who)
}

// Principal returns whose request ctx is of, "" where nobody has said it.
func Principal(ctx context.Context) string {
	who, _ := ctx.Value(principalKey{}).(string)
	return who
}

type untilKey struct{}

// WithUntil returns ctx for a request of somebody who is let in until then, as
// long as their token is good: no stream tells them anything later.
func WithUntil(ctx context.Context, until time.Time) context.Context {
	return context.WithValue(ctx, untilKey{}, until)
}

type stillKey struct{}

// WithStill returns ctx for a request of somebody who is let in for as long as still
// says so: no stream tells them anything for longer than 20 seconds after that.
func WithStill(ctx context.Context, still func() bool) context.Context {
	return context.WithValue(ctx, stillKey{}, still)
}

// whileLetIn returns ctx for a stream that goes on for as long as nobody ends it:
// it ends when who asked for it is let in no more.
func whileLetIn(ctx context.Context) (context.Context, context.CancelFunc) {
	if until, ok := ctx.Value(untilKey{}).(time.Time); ok {
		return context.WithDeadline(ctx, until)
	}
	within, end := context.WithCancel(ctx)
	if still, ok := ctx.Value(stillKey{}).(func() bool); ok {
		go endUnless(within, end, still)
	}
	return within, end
}

// endUnless ends ctx when still says no, which is asked at every heartbeat.
func endUnless(ctx context.Context, end func(), still func() bool) {
	defer end()
	alive := time.NewTicker(heartbeat)
	defer alive.Stop()
	for still() {
		select {
		case <-alive.C:
		case <-ctx.Done():
			return
		}
	}
}
