// Package untrusted records which sessions have read text that others wrote. Such text may
// ask for something that the user does not want. So the policy asks the user more often in
// these sessions.
package untrusted

import (
	"context"
	"sync/atomic"

	"kota/entrypoint"
)

// Track taints the session of a call whose answer has untrusted text. It does so when the call
// ends, because until then the model has not seen the text. If showTaint is false, handlers do
// not see the taint, and mark what they store as the user's own.
func Track(showTaint bool) entrypoint.Middleware {
	return func(next entrypoint.Handler) entrypoint.Handler {
		return func(ctx context.Context, c *entrypoint.Call) (any, error) {
			if c.Nested() {
				return next(ctx, c)
			}
			var sawUntrusted atomic.Bool
			c.Env.OnUntrusted = func() { sawUntrusted.Store(true) }
			c.Env.IsTainted = nil
			if showTaint {
				c.Env.IsTainted = c.Session.IsTainted
			}
			defer func() {
				if sawUntrusted.Load() {
					c.Session.Taint()
				}
			}()
			return next(ctx, c)
		}
	}
}
