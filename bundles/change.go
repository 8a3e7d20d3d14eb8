package bundles

import "context"

// changingKey is the context's key of who counts what a call changes.
type changingKey struct{}

// WithChanging returns ctx for a call whose changes elsewhere may counts, by
// items, and lets through as long as there are not too many.
func WithChanging(ctx context.Context, may func(ctx context.Context, n int) error) context.Context {
	return context.WithValue(ctx, changingKey{}, may)
}

// MayChange asks whether so many mails, events or the like may be changed in a way
// that can be undone, right before they are. It returns nil when they may, and else
// the error to answer. Where nobody counts they may.
func MayChange(ctx context.Context, n int) error {
	may, ok := ctx.Value(changingKey{}).(func(context.Context, int) error)
	if !ok {
		return nil
	}
	return may(ctx, n)
}
