package memory

import (
	"context"
	"strconv"

	"kota/bundles"
	"kota/store"
)

// Undoable returns the last changes of memories that memory_restore can put
// back, newest first, at most that many.
func Undoable(ctx context.Context, memories interface {
	Undoable(ctx context.Context, limit int) ([]store.Undoable, error)
}, limit int) ([]bundles.Undoable, error) {
	acts, err := memories.Undoable(ctx, limit)
	found := make([]bundles.Undoable, 0, len(acts))
	for _, a := range acts {
		title := a.Operation + " " + strconv.Quote(bundles.Clean(a.What))
		if a.Rows > 1 {
			title = a.Operation + " " + strconv.Itoa(a.Rows) + " memories"
		}
		found = append(found, bundles.Undoable{ID: a.Undo, Bundle: "memory", Title: title, At: a.At})
	}
	return found, explain(ctx, err, "")
}

// Undoes reports whether an undo id is of a change of memories: "u12" of what
// was changed, "c7-0k3f" of what was made.
func Undoes(id string) bool {
	return len(id) > 1 && (id[0] == 'u' || id[0] == 'c') && id[1] >= '0' && id[1] <= '9'
}
