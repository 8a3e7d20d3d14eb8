package bundles

import "context"

// CallContext returns the context of the call that ctx was derived from, or nil outside a
// call. All work of a call shares this context, so that its resources can be counted and
// released when the call ends.
func CallContext(ctx context.Context) context.Context {
	return EnvOf(ctx).callContext
}
