package entrypoint

import (
	"context"
	"log/slog"
	"time"

	"kota/metadata"
)

// grace is what a call, which has so much time in all, has after its context
// has ended: to say how far it came.
func grace(all time.Duration) time.Duration { return min(2*time.Second, all/4) }

const defaultTimeout = time.Minute

// Deadline gives a call so much time; 0 means a minute. A handler that goes on
// although its context has ended, as one does that has begun to send a mail, is
// answered for, and goes on: its slot and leases are its own until it ends. At a
// terminal there is a person who can see it through.
func Deadline(timeout time.Duration, log *slog.Logger) Middleware {
	if timeout == 0 {
		timeout = defaultTimeout
	}
	return func(next Handler) Handler {
		return func(ctx context.Context, c *Call) (any, error) {
			ctx, cancel := withDeadline(ctx, timeout-grace(timeout))
			defer cancel()
			if c.Channel == ByCLI {
				return next(ctx, c)
			}
			return inTime(ctx, c, next, grace(timeout), log)
		}
	}
}

func inTime(ctx context.Context, c *Call, next Handler, grace time.Duration, log *slog.Logger) (any, error) {
	what, effect := c.Action.Tool, c.Action.Effect
	type answer struct {
		out any
		err error
	}
	answers, left := make(chan answer), make(chan struct{})
	defer close(left)
	go func() {
		deepen(false)
		var a answer
		defer func() {
			if p := recover(); p != nil {
				a = answer{err: panicked(p)}
			}
			select {
			case answers <- a:
			case <-left:
				if a.err != nil {
					Report(log, what, a.err)
				}
			}
		}()
		a.out, a.err = next(ctx, c)
	}()
	select {
	case a := <-answers:
		return a.out, a.err
	case <-ctx.Done():
	}
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case a := <-answers:
		return a.out, a.err
	case <-late.C:
		return nil, overdue(effect)
	}
}

// overdue is the answer of a call that is not over.
func overdue(effect metadata.Effect) error {
	if effect == metadata.Reads {
		return &metadata.Error{Code: metadata.Unavailable, Message: "the call took too long and was given up", Hint: "Ask for less, or repeat it later.", Retryable: true}
	}
	return metadata.Errorf(metadata.OutcomeUnknown, "the call takes longer than there is time for, and goes on").
		WithHint("Look what became of it before you repeat it.")
}

// deepen gives a goroutine that has just begun the stack that a write takes: one
// that grows by need is copied four times over, each time with more on it, for a
// tenth of what a write costs.
//
//go:noinline
func deepen(never bool) byte {
	if !never { // the frame has room for it all the same, and nothing is zeroed
		return 0
	}
	var depth [24 << 10]byte
	return depth[time.Now().Nanosecond()%len(depth)]
}
