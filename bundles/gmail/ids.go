package gmail

import (
	"fmt"

	"kota/bundles/internal/pattern"
	"kota/metadata"
)

// idForm is what Google's ids look like. Anything else must not get into the
// path of a request.
var idForm = pattern.Of(`^[A-Za-z0-9_-]{1,128}$`)

// checkID returns a VALIDATION_ERROR for an argument, named by its path, that
// cannot be an id.
func checkID(path, id string) error { return checkIDs(path, false, id) }

// checkIDs is checkID for an argument that is a list of ids: all that cannot
// be one are named.
func checkIDs(path string, isList bool, ids ...string) error {
	var problems []metadata.Problem
	for i, id := range ids {
		if idForm().MatchString(id) {
			continue
		}
		at := path
		if isList {
			at = fmt.Sprintf("%s[%d]", path, i)
		}
		problems = append(problems, metadata.Problem{Path: at, Expected: "an id as another answer gave it", Got: fmt.Sprintf("%q", brief(id))})
	}
	if problems == nil {
		return nil
	}
	e := metadata.Errorf(metadata.ValidationError, "%s is no id: %s", problems[0].Path, problems[0].Got).
		WithHint("Ids are letters, digits, - and _, such as 18f2a9c0d1e2f3a4: take them from gmail_search_messages.")
	e.Problems = problems
	return e
}
