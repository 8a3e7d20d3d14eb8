package gmail

import (
	"context"

	"kota/bundles"
)

// Undoable returns the last changes that gmail_undo can put back, newest first, at
// most that many.
func Undoable(ctx context.Context, deps Deps, limit int) ([]bundles.Undoable, error) {
	return newGmail(deps).Undos().Undoable(ctx, limit)
}
