package bundles

import "context"

// ConfirmChange asks whether so many mails, events or the like may be changed in a way
// that can be undone, right before they are. It returns nil when they may, and else
// the error to answer. Where nobody counts they may.
func ConfirmChange(ctx context.Context, n int) error {
	if may := EnvOf(ctx).Changing; may != nil {
		return may(ctx, n)
	}
	return nil
}
