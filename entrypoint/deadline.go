package entrypoint

import (
	"context"
	"log/slog"
	"time"

	"kota/metadata"
)

// grace returns the last part of the timeout. The context of a call ends before this part, so
// that the call can still report how far it got.
func grace(timeout time.Duration) time.Duration { return min(2*time.Second, timeout/4) }

const defaultTimeout = time.Minute

// Deadline limits each call to the timeout; 0 means a minute. A handler may continue
// after its context has ended, for example while it sends a mail. The caller then gets
// an answer, and the handler keeps its slot and its leases on outgoing mail until it ends.
// Calls at the command line wait for their handler, because a person can stop them.
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
			return runWithDeadline(ctx, c, next, grace(timeout), log)
		}
	}
}

func runWithDeadline(ctx context.Context, c *Call, next Handler, grace time.Duration, log *slog.Logger) (any, error) {
	what, effect := c.Action.Tool, c.Action.Effect
	type answer struct {
		out any
		err error
	}
	answers, callerGone := make(chan answer), make(chan struct{})
	defer close(callerGone)
	go func() {
		growStack(false)
		var a answer
		defer func() {
			if p := recover(); p != nil {
				a = answer{err: panicError(p)}
			}
			select {
			case answers <- a:
			case <-callerGone:
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
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case a := <-answers:
		return a.out, a.err
	case <-timer.C:
		return nil, timeoutError(effect)
	}
}

// timeoutError returns the answer to a call that has not ended in time.
func timeoutError(effect metadata.Effect) error {
	if effect == metadata.Reads {
		return &metadata.Error{Code: metadata.Unavailable, Message: "the call took too long and was stopped", Hint: "Ask for less, or repeat it later.", Retryable: true}
	}
	return metadata.Errorf(metadata.OutcomeUnknown, "the call takes longer than its time limit and is still running").
		WithHint("Check whether it took effect before you repeat it.")
}

// growStack gives a new goroutine the stack that a write needs. A stack that grows on
// demand is copied four times. The copies take a tenth of the time of a write.
//
//go:noinline
func growStack(useFrame bool) byte {
	if !useFrame { // the frame has its full size in this branch too, and nothing is zeroed
		return 0
	}
	var depth [24 << 10]byte
	return depth[time.Now().Nanosecond()%len(depth)]
}
