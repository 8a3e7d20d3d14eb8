package bundles

import "context"

// WithProgress returns ctx for a call that tells how it gets on.
func WithProgress(ctx context.Context, tell func(step string)) context.Context {
	return with(ctx, func(e *Env) { e.OnProgress = tell })
}

// Progress tells whoever waits for the call in ctx that it has come a step
// further, such as "Gmail has answered", and is still at work.
func Progress(ctx context.Context, step string) {
	if tell := EnvOf(ctx).OnProgress; tell != nil {
		tell(step)
	}
}
