package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kota/cmd/kota/internal/config"
	"kota/metadata"
	"kota/store"
	"kota/store/tables/approvals"
)

// Limit counts n sends, deletions or changes. If they would exceed a limit, it
// counts none and returns RATE_LIMITED. The hint names the time after which n
// of them are within the limit again, unless n alone exceeds it.
func (a *App) Limit(ctx context.Context, effect metadata.Effect, n int) error {
	kind, limits := LimitsOf(a.Config.Limits, effect)
	if len(limits) == 0 {
		return nil
	}
	db, err := a.OpenDB(ctx)
	if err != nil && effect == metadata.Writes {
		return nil // a broken database does not stop what can be undone, unless the call needs the database
	}
	if err != nil {
		return notCountedError(err)
	}
	err = approvals.NewLimits(db, Owner).Allow(ctx, kind, n, limits)
	if full := (*store.LimitError)(nil); errors.As(err, &full) {
		return a.LimitError(kind, n, full)
	}
	if err != nil {
		return notCountedError(err)
	}
	return nil
}

// notCountedError returns the error for a call that cannot be counted and is
// therefore not made.
func notCountedError(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &metadata.Error{
		Code: metadata.Unavailable, Message: "nothing was done, because the limits cannot be counted: " + err.Error(),
		Hint: "Nothing was changed. Run `kota doctor`.", Retryable: errors.Is(err, store.ErrBusy) || errors.Is(err, store.ErrUnreachable), Cause: err,
	}
}

// LimitsOf returns the kind under which calls with that effect are counted, and
// the limits of that kind.
func LimitsOf(l config.Limits, effect metadata.Effect) (kind string, limits []store.Limit) {
	add := func(maxCalls int, window time.Duration) {
		if maxCalls > 0 {
			limits = append(limits, store.Limit{Max: maxCalls, Window: window})
		}
	}
	switch effect {
	case metadata.Writes:
		add(l.ChangesPerHour, time.Hour)
		return store.KindChange, limits
	case metadata.Destroys:
		add(l.DestroysPerHour, time.Hour)
		return store.KindDestroy, limits
	}
	add(l.SendsPerHour, time.Hour)
	add(l.SendsPerDay, 24*time.Hour)
	return store.KindSend, limits
}

// LimitError returns the error for n more calls of a kind that would exceed a
// limit.
func (a *App) LimitError(kind string, n int, full *store.LimitError) error {
	what, key, period := "sends to other people", "sends_per_hour", "the last hour"
	if full.Window > time.Hour {
		key, period = "sends_per_day", "the last 24 hours"
	}
	if kind == store.KindDestroy {
		what, key = "changes that cannot be undone", "destroys_per_hour"
	}
	text := fmt.Sprintf("bundles.yaml limits %[2]s to %[1]d in %[3]s, and the limit is reached: nothing was done", full.Max, what, period)
	if kind == store.KindChange {
		key = "changes_per_hour"
		text = fmt.Sprintf("bundles.yaml allows %d changes of mail and events an hour, and %d more would exceed the limit: nothing was done", full.Max, n)
	}
	if n > full.Max {
		return metadata.Errorf(metadata.RateLimited, "%s", text).WithHint("Change fewer at a time. The user can allow more in bundles.yaml with `limits: {%s: %d}`.", key, min(config.MaxLimit, 2*n))
	}
	until := full.RetryAt.Add(time.Second - time.Millisecond).Truncate(time.Second).In(a.Zone()) // rounded up, never too early
	err := metadata.Errorf(metadata.RateLimited, "%s", text).
		WithHint("Repeat the call after %s. The user can allow more in bundles.yaml with `limits: {%s: %d}`.", until.Format(time.RFC3339), key, min(config.MaxLimit, 2*full.Max))
	err.Retryable = true
	return err
}
