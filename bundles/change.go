package bundles

import "context"

// ConfirmChange asks whether the call may make n changes that can be undone, for example
// to mails or events. A handler asks right before the change. ConfirmChange returns nil
// if the change is allowed, and otherwise the error to return. If nothing counts changes,
// it always returns nil.
func ConfirmChange(ctx context.Context, n int) error {
	if count := EnvOf(ctx).CountChanges; count != nil {
		return count(ctx, n)
	}
	return nil
}
