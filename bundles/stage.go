package bundles

import (
	"context"

	"kota/metadata"
)

// NoteStage reports the schema of the caller's next call of a staged action. A nil schema
// means the action's own. Without a listener it does nothing.
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
