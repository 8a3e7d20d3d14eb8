package calendar

import (
	"errors"
	"strings"

	"kota/metadata"
)

// readErrors are the codes that any action may answer with that asks Google
// something.
func readErrors(more ...metadata.Code) []metadata.Code {
	return append([]metadata.Code{
		metadata.SignInRequired, metadata.ScopeMissing, metadata.RateLimited, metadata.Unavailable, metadata.Refused, metadata.ValidationError,
	}, more...)
}

// onArgument is the error of one argument under the name that its caller knows.
func onArgument(path string, err error) error {
	e := (*metadata.Error)(nil)
	if !errors.As(err, &e) || len(e.Problems) != 1 {
		return err
	}
	moved, problem := *e, e.Problems[0]
	if rest, ok := strings.CutPrefix(e.Message, problem.Path+" must be "); ok {
		moved.Message = path + " must be " + rest
	}
	problem.Path = path
	moved.Problems = []metadata.Problem{problem}
	return &moved
}
