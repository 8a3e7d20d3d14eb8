package bundles

import "context"

// CallOf returns the context of the call that ctx is part of, however ctx was
// derived from it; nil where there is none. All work of a call has the same, so
// that what it holds can be counted, and given back when it is done.
func CallOf(ctx context.Context) context.Context {
	return EnvOf(ctx).work
}
