package calendar

import (
	"context"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
)

// Undoable returns the last changes that calendar_undo can put back, newest first, at
// most that many.
func Undoable(ctx context.Context, deps Deps, limit int) ([]bundles.Undoable, error) {
	return agenda.UndoBook(deps.Stores.Undos, deps.Now).Undoable(ctx, limit)
}
