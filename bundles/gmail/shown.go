package gmail

import (
	"context"

	"kota/bundles"
)

// mailItem names a message for bundles.MarkShown.
func mailItem(id string) string { return "gmail message " + id }

// markShown notes that the answer shows a message. Call it once nothing more is left
// out of the answer.
func markShown(ctx context.Context, id string) { bundles.MarkShown(ctx, mailItem(id)) }
