package daily

import (
	"context"
	"strconv"

	"kota/bundles"
	"kota/bundles/internal/arguments"
	"kota/bundles/internal/persist"
	"kota/store"
)

// Undoable returns at most limit recent changes of the diary that were not undone,
// newest first. daily_edit refuses to undo a change if its rows have changed since.
func Undoable(ctx context.Context, diary Changes, limit int) ([]bundles.Undoable, error) {
	one := map[string]string{"entries": "entry", "tasks": "task", "documents": "document"}
	acts, err := diary.Undoable(ctx, limit)
	found := make([]bundles.Undoable, 0, len(acts))
	for _, a := range acts {
		title := a.Operation + " the " + one[a.Kind] + " " + strconv.Quote(arguments.Brief(bundles.Clean(a.Subject)))
		if a.Rows > 1 {
			title = a.Operation + " " + strconv.Itoa(a.Rows) + " " + a.Kind
		}
		found = append(found, bundles.Undoable{ID: a.Undo, Bundle: "daily", Title: title, At: a.At})
	}
	return found, persist.Explain(err)
}

// Undoes reports whether the undo id belongs to a diary change: "z" and six letters and
// digits, or the ids of the rows that were added.
func Undoes(id string) bool { return store.IsDiaryUndo(id) }
