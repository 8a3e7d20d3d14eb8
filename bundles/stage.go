package bundles

import (
	"context"

	"kota/metadata"
)

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
