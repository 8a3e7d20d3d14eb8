package gmail

import (
	"strconv"

	"kota/bundles/internal/pattern"
)

// idForm is what Google's ids look like. Anything else must not get into the
// path of a request.
var idForm = pattern.Of(`^[A-Za-z0-9_-]{1,128}$`)

// checkID returns a VALIDATION_ERROR for an argument, named by its path, that
// cannot be an id.
func checkID(path, id string) error {
	var p problems
	p.id(path, id)
	return p.err()
}

// checkIDs is checkID for a list of ids: all that cannot be one are named.
func checkIDs(path string, ids []string) error {
	var p problems
	for i, id := range ids {
		p.id(path+"["+strconv.Itoa(i)+"]", id)
	}
	return p.err()
}
