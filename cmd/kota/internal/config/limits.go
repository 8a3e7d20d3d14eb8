package config

import (
	"strconv"

	"github.com/goccy/go-yaml/ast"
)

// Limits are the maximum numbers, in any hour or day, of three kinds of calls: sends,
// actions that cannot be undone, and changes of mail and events. 0 means no limit.
type Limits struct {
	SendsPerHour    int
	SendsPerDay     int
	DestroysPerHour int
	ChangesPerHour  int
}

// MaxLimit is the largest limit that bundles.yaml may set.
const MaxLimit = 10_000

// limits reads the limits. It refuses 0, which would seem to mean that nothing
// is allowed.
func (c *checker) limits(v value) {
	number := func(into *int) func(*checker, value) {
		return func(c *checker, v value) {
			if on, isSwitch := switchOf(v.node); isSwitch && !on {
				*into = 0
				return
			}
			n, ok := v.node.(*ast.IntegerNode)
			if ok {
				limit, err := strconv.Atoi(n.Token.Value)
				if err == nil && limit >= 1 && limit <= MaxLimit {
					*into = limit
					return
				}
			}
			c.problem(v.line, "%s is %s; allowed: a number from 1 to %d, or off for no limit", v.path, kindOf(v.node), MaxLimit)
		}
	}
	c.mapping(v, []field{
		{"sends_per_hour", number(&c.cfg.Limits.SendsPerHour)},
		{"sends_per_day", number(&c.cfg.Limits.SendsPerDay)},
		{"destroys_per_hour", number(&c.cfg.Limits.DestroysPerHour)},
		{"changes_per_hour", number(&c.cfg.Limits.ChangesPerHour)},
	})
}
