package entrypoint

import (
	"context"

	"kota/metadata"
)

// WithStages returns ctx for a call whose caller follows the stages of a staged action.
// onStage gets the schema of each next stage, or nil after the last stage.
func WithStages(ctx context.Context, onStage func(tool string, schema *metadata.Schema)) context.Context {
	c := &Call{onStage: onStage}
	if outer := callFromContext(ctx); outer != nil {
		c.Session = outer.Session
	}
	return c.newContext(ctx)
}
