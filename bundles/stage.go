package bundles

import (
	"context"

	"kota/metadata"
)

// WithStage returns ctx for a call of a staged action. tell learns what the
// caller's next call of that action takes: the schema of the stage it has come
// to, nil for the action's own.
func WithStage(ctx context.Context, tell func(*metadata.Schema)) context.Context {
	return with(ctx, func(e *Env) { e.OnStage = tell })
}

// NoteStage tells what the caller's next call of a staged action takes, if
// anybody wants to know. A nil schema is the action's own.
func NoteStage(ctx context.Context, schema func() *metadata.Schema) {
	tell := EnvOf(ctx).OnStage
	switch {
	case tell == nil:
	case schema == nil:
		tell(nil)
	default:
		tell(schema())
	}
}
