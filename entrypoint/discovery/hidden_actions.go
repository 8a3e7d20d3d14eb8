package discovery

import (
	"errors"
	"slices"

	"kota/metadata"
)

// A hiddenAction is an action that the profile hides and that KOTA may name, because the policy
// explains what it hides.
type hiddenAction struct {
	catalogueAction
	remedy string // how the user can show the action
}

// hiddenError returns the error that says what hides the requested action. It returns nil
// if the action is not hidden or the policy does not explain what it hides.
func (c *Catalogue) hiddenError(code metadata.Code, requested string, is func(hiddenAction) bool) error {
	i := slices.IndexFunc(c.hiddenActions, is)
	if i < 0 {
		return nil
	}
	return metadata.Errorf(code, "the profile %q hides %s", c.profile, requested).
		WithHint("The user can make it available: %s.", c.hiddenActions[i].remedy)
}

// similarHiddenError returns the error that says what hides a tool whose name differs from name
// only in spelling or by a typo. It returns nil if there is no such hidden tool. Call it only
// if no visible tool fits the name.
func (c *Catalogue) similarHiddenError(code metadata.Code, name string) error {
	for _, same := range []func(a, b string) bool{metadata.SameName, metadata.OneTypo} {
		for _, reading := range spellings(name) {
			i := slices.IndexFunc(c.hiddenActions, func(h hiddenAction) bool { return same(reading.name, h.Tool) })
			if i >= 0 {
				return c.hiddenError(code, c.hiddenActions[i].Tool, func(h hiddenAction) bool { return h.Tool == c.hiddenActions[i].Tool })
			}
		}
	}
	return nil
}

// messageAndHint returns the message and the hint of an error of this package.
func messageAndHint(err error) string {
	if e := (*metadata.Error)(nil); errors.As(err, &e) {
		return e.Message + ". " + e.Hint
	}
	return err.Error()
}
