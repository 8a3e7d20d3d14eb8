package main

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/goccy/go-yaml/ast"

	"kota/metadata"
	"kota/store"
)

// Limits say how much may leave, and how much may be done that cannot be undone,
// in any stretch of an hour or a day; 0 is as much as there is.
type Limits struct {
	SendsPerHour    int
	SendsPerDay     int
	DestroysPerHour int
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
	})
}

// limit counts what is about to leave, or to be destroyed, and lets it through,
// or answers RATE_LIMITED with the time at which there is room again.
func (a *app) limit(ctx context.Context, effect metadata.Effect) error {
	kind, limits := a.limitsOf(effect)
	if len(limits) == 0 {
		return nil
	}
	db, err := a.openDB(ctx)
	if err != nil {
		return err
	}
	err = db.Pass(ctx, usageOwner, kind, limits)
	if full := (*store.LimitedError)(nil); errors.As(err, &full) {
		return a.limited(kind, full)
	}
	return err
}

// limitsOf are the limits of what calls of that effect do.
func (a *app) limitsOf(effect metadata.Effect) (kind string, limits []store.Limit) {
	of := func(most int, while time.Duration) {
		if most > 0 {
			limits = append(limits, store.Limit{Most: most, While: while})
		}
	}
	if effect == metadata.Destroys {
		of(a.config.Limits.DestroysPerHour, time.Hour)
		return store.PassDestroy, limits
	}
	of(a.config.Limits.SendsPerHour, time.Hour)
	of(a.config.Limits.SendsPerDay, 24*time.Hour)
	return store.PassSend, limits
}

func (a *app) limited(kind string, full *store.LimitedError) error {
	what, key, while := "things that reach other people were sent", "sends_per_hour", "the last hour"
	if full.While > time.Hour {
		key, while = "sends_per_day", "the last 24 hours"
	}
	if kind == store.PassDestroy {
		what, key = "things that cannot be undone were done", "destroys_per_hour"
	}
	until := full.Until.Add(time.Second - time.Millisecond).Truncate(time.Second).In(a.localNow().Location()) // never too early
	err := metadata.Errorf(metadata.RateLimited, "%d %s in %s, and bundles.yaml allows no more: nothing was done", full.Most, what, while).
		WithHint("There is room again from %s on. The user can allow more in bundles.yaml with `limits: {%s: %d}`.", until.Format(time.RFC3339), key, min(mostLimit, 2*full.Most))
	err.Retryable = true
	return err
}
