// Package untrusted notes which sessions have had text that others wrote: it may ask
// for what the user does not want. Policy asks about more in such a session.
package untrusted

import (
	"context"
	"sync/atomic"

	"kota/entrypoint"
)

// Track taints the session of a call whose answer has untrusted text, when the call
// is over: until then nobody has seen that text, the call's own sends included. If tell
// is false handlers do not learn of it, and note what is written down as the user's
// own.
func Track(tell bool) entrypoint.Middleware {
	return func(next entrypoint.Handler) entrypoint.Handler {
		return func(ctx context.Context, c *entrypoint.Call) (any, error) {
			if c.Nested() {
				return next(ctx, c)
			}
			var came atomic.Bool
			c.Env.Untrusted = func() { came.Store(true) }
			c.Env.IsTainted = nil
			if tell {
				c.Env.IsTainted = c.Session.IsTainted
			}
			defer func() {
				if came.Load() {
					c.Session.Taint()
				}
			}()
			return next(ctx, c)
		}
	}
}
