package gmail

import (
	"strconv"

	"kota/bundles/internal/arguments"
	"kota/bundles/internal/lazyregexp"
)

// problems are those of a call's arguments.
type problems struct{ arguments.Problems }

// idForm is what Gmail's ids look like. Anything else must not get into the
// path of a request.
var idForm = lazyregexp.Of(`^[A-Za-z0-9_-]{1,128}$`)

// id checks an id that goes into the path of a request.
func (p *problems) id(path, id string) {
	if !idForm().MatchString(id) {
		p.Add(path, "an id as an earlier answer gave it", id)
	}
}

// checkID returns a VALIDATION_ERROR for an argument, named by its path, that
// cannot be an id.
func checkID(path, id string) error {
	var p problems
	p.id(path, id)
	return p.Err()
}

// checkIDs is checkID for a list of ids: all that cannot be one are named.
func checkIDs(path string, ids []string) error {
	var p problems
	for i, id := range ids {
		p.id(path+"["+strconv.Itoa(i)+"]", id)
	}
	return p.Err()
}
