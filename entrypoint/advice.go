package entrypoint

import "kota/metadata"

// advised returns the failure as it is for whom this serves: what it tells them to
// run may need more words where they are not the only one. An error may be shared:
// it stays as it is.
func (r *Router) advised(e *metadata.Error) *metadata.Error {
	if r.advice == nil {
		return e
	}
	message, hint := r.advice(e.Message), r.advice(e.Hint)
	if message == e.Message && hint == e.Hint {
		return e
	}
	theirs := *e
	theirs.Message, theirs.Hint = message, hint
	return &theirs
}
