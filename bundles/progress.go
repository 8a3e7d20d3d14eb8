package bundles

import "context"

// Progress reports a step of the call in ctx, such as "Gmail has answered", to the client
// that waits for it. The call continues.
func Progress(ctx context.Context, step string) {
	if report := EnvOf(ctx).OnProgress; report != nil {
		report(step)
	}
}
