package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/goccy/go-yaml/ast"

	"kota/metadata"
	"kota/store"
)

// Limits say how much may leave, how much may be done that cannot be undone, and
// how many mails and events may be changed, in any stretch of an hour or a day; 0
// is as much as there is.
type Limits struct {
	SendsPerHour    int
	SendsPerDay     int
	DestroysPerHour int
	ChangesPerHour  int
}

const mostLimit = 10_000

// limits reads the mapping. A number of 0 would be `send: refuse` in disguise.
func (c *checker) limits(v value) {
	number := func(into *int) func(*checker, value) {
		return func(c *checker, v value) {
			if on, isSwitch := switchOf(v.node); isSwitch && !on {
				*into = 0
				return
			}
			n, ok := v.node.(*ast.IntegerNode)
			if ok {
				most, err := strconv.Atoi(n.Token.Value)
				if err == nil && most >= 1 && most <= mostLimit {
					*into = most
					return
				}
			}
			c.problem(v.line, "%s is %s; allowed: a number from 1 to %d, or off for no limit", v.path, kindOf(v.node), mostLimit)
		}
	}
	c.mapping(v, []field{
		{"sends_per_hour", number(&c.cfg.Limits.SendsPerHour)},
		{"sends_per_day", number(&c.cfg.Limits.SendsPerDay)},
		{"destroys_per_hour", number(&c.cfg.Limits.DestroysPerHour)},
		{"changes_per_hour", number(&c.cfg.Limits.ChangesPerHour)},
	})
}

// limit counts what is about to leave, to be destroyed or to be changed, and lets
// it through, or answers RATE_LIMITED with the time at which there is room again.
func (a *app) limit(ctx context.Context, effect metadata.Effect, n int) error {
	kind, limits := a.limitsOf(effect)
	if len(limits) == 0 {
		return nil
	}
	db, err := a.openDB(ctx)
	if err != nil && effect == metadata.Writes {
		return nil // what can be undone is not stopped by a broken database, unless it needs it
	}
	if err != nil {
		return a.uncounted(err)
	}
	err = db.Pass(ctx, usageOwner, kind, n, limits)
	if full := (*store.LimitedError)(nil); errors.As(err, &full) {
		return a.limited(kind, n, full)
	}
	if err != nil {
		return a.uncounted(err)
	}
	return nil
}

// uncounted says that nothing is done that cannot be counted, and why.
func (a *app) uncounted(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &metadata.Error{
		Code: metadata.Unavailable, Message: "what cannot be counted against the limits is not done: " + err.Error(),
		Hint: "Nothing was changed. Run `kota doctor`.", Retryable: errors.Is(err, store.ErrBusy), Cause: err,
	}
}

// limitsOf are the limits of what calls of that effect do.
func (a *app) limitsOf(effect metadata.Effect) (kind string, limits []store.Limit) {
	of := func(most int, while time.Duration) {
		if most > 0 {
			limits = append(limits, store.Limit{Most: most, While: while})
		}
	}
	switch effect {
	case metadata.Writes:
		of(a.config.Limits.ChangesPerHour, time.Hour)
		return store.PassChange, limits
	case metadata.Destroys:
		of(a.config.Limits.DestroysPerHour, time.Hour)
		return store.PassDestroy, limits
	}
	of(a.config.Limits.SendsPerHour, time.Hour)
	of(a.config.Limits.SendsPerDay, 24*time.Hour)
	return store.PassSend, limits
}

func (a *app) limited(kind string, n int, full *store.LimitedError) error {
	what, key, while := "things that reach other people were sent", "sends_per_hour", "the last hour"
	if full.While > time.Hour {
		key, while = "sends_per_day", "the last 24 hours"
	}
	if kind == store.PassDestroy {
		what, key = "things that cannot be undone were done", "destroys_per_hour"
	}
	text := fmt.Sprintf("%d %s in %s, and bundles.yaml allows no more: nothing was done", full.Most, what, while)
	if kind == store.PassChange {
		key = "changes_per_hour"
		text = fmt.Sprintf("bundles.yaml allows %d changes of mail and events an hour, and %d more would be too many: nothing was done", full.Most, n)
	}
	if n > full.Most {
		return metadata.Errorf(metadata.RateLimited, "%s", text).WithHint("Change fewer at a time. The user can allow more in bundles.yaml with `limits: {%s: %d}`.", key, min(mostLimit, 2*n))
	}
	until := full.Until.Add(time.Second - time.Millisecond).Truncate(time.Second).In(a.zone()) // never too early
	err := metadata.Errorf(metadata.RateLimited, "%s", text).
		WithHint("There is room again from %s on. The user can allow more in bundles.yaml with `limits: {%s: %d}`.", until.Format(time.RFC3339), key, min(mostLimit, 2*full.Most))
	err.Retryable = true
	return err
}
