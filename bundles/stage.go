package bundles

import (
	"context"

	"kota/metadata"
)

// ReportStage reports the schema of the caller's next call of a staged action. A nil schema
// means the action's own. Without a listener it does nothing.
func ReportStage(ctx context.Context, schema func() *metadata.Schema) {
	report := EnvOf(ctx).OnStage
	switch {
	case report == nil:
	case schema == nil:
		report(nil)
	default:
		report(schema())
	}
}
