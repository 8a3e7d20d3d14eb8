package mailbox

import (
	"slices"
	"strconv"

	"kota/bundles/internal/arguments"
	"kota/bundles/internal/lazyregexp"
)

// Problems are those of a call's arguments.
type Problems struct{ arguments.Problems }

// IDForm is what Gmail's ids look like. Anything else must not get into the
// path of a request.
var IDForm = lazyregexp.Of(`^[A-Za-z0-9_-]{1,128}$`)

// ID checks an id that goes into the path of a request.
func (p *Problems) ID(path, id string) {
	if !IDForm().MatchString(id) {
		p.Add(path, "an id as an earlier answer gave it", id)
	}
}

// CheckID returns a VALIDATION_ERROR for an argument, named by its path, that
// cannot be an id.
func CheckID(path, id string) error {
	var p Problems
	p.ID(path, id)
	return p.Err()
}

// CheckIDs is checkID for a list of ids: all that cannot be one are named.
func CheckIDs(path string, ids []string) error {
	var p Problems
	for i, id := range ids {
		p.ID(path+"["+strconv.Itoa(i)+"]", id)
	}
	return p.Err()
}

// Unique returns the elements without those that came before, in their order.
func Unique(list []string) []string {
	kept := make([]string, 0, len(list))
	for _, one := range list {
		if !slices.Contains(kept, one) {
			kept = append(kept, one)
		}
	}
	return kept
}
