package entrypoint

import (
	"context"

	"kota/bundles"
	"kota/metadata"
)

// stagesKey is the context's key of who is told the stages that calls come to.
type stagesKey struct{}

// WithStages returns ctx for a call whose caller is told the stage that a staged
// action comes to: the schema of what it takes next, nil at the end.
func WithStages(ctx context.Context, told func(tool string, schema *metadata.Schema)) context.Context {
	return context.WithValue(ctx, stagesKey{}, told)
}

// staging returns ctx for a call of a staged action, whose caller's listing may
// follow it.
func staging(ctx context.Context, action bundles.Action) context.Context {
	if action.Staged == nil {
		return ctx
	}
	told, ok := ctx.Value(stagesKey{}).(func(string, *metadata.Schema))
	if !ok {
		return ctx
	}
	tool := action.Tool // the closure holds no more than that
	return bundles.WithStage(ctx, func(schema *metadata.Schema) { told(tool, schema) })
}
