package bundles

import (
	"context"

	"kota/metadata"
)

// stageKey is the context's key of who is told which stage a caller is at.
type stageKey struct{}

// WithStage returns ctx for a call of a staged action. tell learns what the
// caller's next call of that action takes: the schema of the stage it has come
// to, nil for the action's own.
func WithStage(ctx context.Context, tell func(*metadata.Schema)) context.Context {
	return context.WithValue(ctx, stageKey{}, tell)
}

// NoteStage tells what the caller's next call of a staged action takes, if
// anybody wants to know. A nil schema is the action's own.
func NoteStage(ctx context.Context, schema func() *metadata.Schema) {
	tell, ok := ctx.Value(stageKey{}).(func(*metadata.Schema))
	switch {
	case !ok:
	case schema == nil:
		tell(nil)
	default:
		tell(schema())
	}
}
