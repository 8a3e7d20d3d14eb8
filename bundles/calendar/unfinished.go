package calendar

import (
	"context"
	"time"

	"kota/bundles"
	"kota/bundles/calendar/internal/agenda"
	"kota/bundles/calendar/internal/series"
)

// Undoable returns the last changes that calendar_undo can put back, newest first, at
// most that many.
func Undoable(ctx context.Context, deps Deps, limit int) ([]bundles.Undoable, error) {
	return agenda.UndoBook(deps.Stores.Undos, deps.Now).Undoable(ctx, limit)
}

// Unfinished returns what people call the changes of series of which it is not
// known that they were finished: events may be there twice.
func Unfinished(ctx context.Context, undos UndoStore) ([]string, error) {
	open := func(context.Context) (UndoStore, error) { return undos, nil }
	list, err := series.Splits(ctx, agenda.UndoBook(open, time.Now))
	if err != nil {
		return nil, err
	}
	called := []string{}
	for _, one := range list {
		if !one.Done {
			called = append(called, one.Called)
		}
	}
	return called, nil
}
