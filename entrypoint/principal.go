package entrypoint

import "context"

type principalKey struct{}

// WithPrincipal returns ctx for a request of that person's or program's.
func WithPrincipal(ctx context.Context, who string) context.Context {
	return context.WithValue(ctx, principalKey{}, who)
}

// Principal returns whose request ctx is of, "" where nobody has said it.
func Principal(ctx context.Context) string {
	who, _ := ctx.Value(principalKey{}).(string)
	return who
}
