package entrypoint

import (
	"context"
	"fmt"

	"kota/metadata"
)

// notedKey is the context's key of who is told of deprecated actions.
type notedKey struct{}

// WithNotes returns ctx for a call whose caller is told, in a sentence, when the
// action it reached is deprecated and what to call instead. The answer itself
// stays as its schema has it.
func WithNotes(ctx context.Context, tell func(note string)) context.Context {
	return context.WithValue(ctx, notedKey{}, tell)
}

// superseded tells what has taken the place of a deprecated action.
func superseded(ctx context.Context, a metadata.Action) {
	tell, ok := ctx.Value(notedKey{}).(func(string))
	if ok && a.Deprecated != "" {
		tell(fmt.Sprintf("%s is deprecated. Instead: %s", a.Tool, a.Deprecated))
	}
}
