package entrypoint

import "kota/metadata"

// advised returns the failure as it is for whom this serves: what it tells them to
// run may need more words where they are not the only one.
func (r *Router) advised(e *metadata.Error) *metadata.Error {
	if r.advice == nil {
		return e
	}
	return e.Advised(r.advice)
}
