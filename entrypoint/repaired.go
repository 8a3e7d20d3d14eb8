package entrypoint

import "context"

// repairedKey is the context's key of who is told what was repaired.
type repairedKey struct{}

// WithRepairs returns ctx for a call whose caller is told what was mended of it,
// a phrase each, before it runs: "maxResults read as max_results". Nothing is
// told of a call that needed no mending.
func WithRepairs(ctx context.Context, tell func(notes []string)) context.Context {
	return context.WithValue(ctx, repairedKey{}, tell)
}

// repaired tells what was mended of a call. The notes hold no values.
func (r *Router) repaired(ctx context.Context, tool string, notes []string) {
	if len(notes) == 0 {
		return
	}
	r.log.Debug("repaired", "tool", tool, "notes", notes)
	if tell, ok := ctx.Value(repairedKey{}).(func([]string)); ok {
		tell(notes)
	}
}

// NoteRepairs tells the caller of the call in ctx what was repaired of it.
func NoteRepairs(ctx context.Context, tool string, notes []string) {
	if tell, ok := ctx.Value(repairedKey{}).(func([]string)); ok && len(notes) > 0 {
		tell(notes)
	}
}
