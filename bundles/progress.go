package bundles

import "context"

// Progress tells whoever waits for the call in ctx that it has come a step
// further, such as "Gmail has answered", and is still at work.
func Progress(ctx context.Context, step string) {
	if tell := EnvOf(ctx).OnProgress; tell != nil {
		tell(step)
	}
}
