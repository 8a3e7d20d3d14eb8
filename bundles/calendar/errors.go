package calendar

import "kota/metadata"

// readErrors are the codes that any action may answer with that asks Google
// something.
func readErrors(more ...metadata.Code) []metadata.Code {
	return append([]metadata.Code{
		metadata.SignInRequired, metadata.ScopeMissing, metadata.RateLimited, metadata.Unavailable, metadata.Refused, metadata.ValidationError,
	}, more...)
}
