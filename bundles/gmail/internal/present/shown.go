package present

import (
	"context"

	"kota/bundles"
)

// Item names a message for bundles.MarkShown.
func Item(id string) string { return "gmail message " + id }

// MarkShown notes that the answer shows a message. Call it once nothing more is left
// out of the answer.
func MarkShown(ctx context.Context, id string) { bundles.MarkShown(ctx, Item(id)) }
