package discovery

import (
	"errors"
	"slices"

	"kota/metadata"
)

// A hiddenAction is hidden by the profile, and is named because the policy explains itself.
type hiddenAction struct {
	listed
	remedy string // how the user shows it
}

// explained returns the error that says what hides the action that is asked
// for, nil when it is not hidden or nobody is to know.
func (c *Catalogue) explained(code metadata.Code, asked string, is func(hiddenAction) bool) error {
	i := slices.IndexFunc(c.hiddenActions, is)
	if i < 0 {
		return nil
	}
	return metadata.Errorf(code, "the profile %q hides %s", c.profile, asked).
		WithHint("The user can show it: %s.", c.hiddenActions[i].remedy)
}

// hiddenLike returns the error that says what hides the tool that a name, which
// nothing visible has, means in other letters or with a slip; else nil.
func (c *Catalogue) hiddenLike(code metadata.Code, name string) error {
	for _, same := range []func(a, b string) bool{metadata.SameName, metadata.OneTypo} {
		for _, reading := range readings(name) {
			i := slices.IndexFunc(c.hiddenActions, func(h hiddenAction) bool { return same(reading.name, h.Tool) })
			if i >= 0 {
				return c.explained(code, c.hiddenActions[i].Tool, func(h hiddenAction) bool { return h.Tool == c.hiddenActions[i].Tool })
			}
		}
	}
	return nil
}

// reason is the text of an error of this package, with what to do.
func reason(err error) string {
	if e := (*metadata.Error)(nil); errors.As(err, &e) {
		return e.Message + ". " + e.Hint
	}
	return err.Error()
}
