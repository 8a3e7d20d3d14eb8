package entrypoint

import (
	"slices"

	"kota/bundles"
	"kota/metadata"
)

// A Limit is one of the lists by which a profile hides actions, as bundles.yaml
// calls it.
type Limit string

const (
	ByBundles Limit = "bundles"
	ByTags    Limit = "tags"
	ByActions Limit = "actions"
	ByWithout Limit = "without"
)

// visible reports whether the action exists at all under this policy. What is
// not visible is answered exactly as what was never there, by every door.
func (p Policy) visible(b metadata.Bundle, a metadata.Action) bool { return len(p.hides(b, a)) == 0 }

// hides returns the limits that hide the action, none when it is visible: an
// action has to be within all of them.
func (p Policy) hides(b metadata.Bundle, a metadata.Action) []Limit {
	var by []Limit
	if p.Bundles != nil && !slices.Contains(p.Bundles, b.Key) {
		by = append(by, ByBundles)
	}
	if p.Tags != nil && !slices.ContainsFunc(p.Tags, func(tag string) bool { return tagged(b.Tags, a, tag) }) {
		by = append(by, ByTags)
	}
	if p.Actions != nil && !named(p.Actions, b, a) {
		by = append(by, ByActions)
	}
	if named(p.Without, b, a) {
		by = append(by, ByWithout)
	}
	return by
}

// named reports whether the list has the action, by the name of its tool or as
// one of "memory_*", all of a bundle.
func named(list []string, b metadata.Bundle, a metadata.Action) bool {
	return slices.Contains(list, a.Tool) || slices.Contains(list, b.Key+"_*")
}

// Count returns how many actions of the bundle some call may run under the
// profile, whatever the accounts allow.
func (p Policy) Count(b bundles.Bundle) int {
	p.Lacks = nil
	n := 0
	for _, a := range b.Actions {
		if p.visible(b.Bundle, a.Action) && p.offers(a) {
			n++
		}
	}
	return n
}

// Shows reports whether the tool of that bundle exists under the profile.
func (p Policy) Shows(b bundles.Bundle, tool string) bool {
	return slices.ContainsFunc(b.Actions, func(a bundles.Action) bool { return a.Tool == tool && p.visible(b.Bundle, a.Action) })
}

// ShowsAny reports whether some tool of the bundle exists under the profile.
func (p Policy) ShowsAny(b bundles.Bundle) bool {
	return slices.ContainsFunc(b.Actions, func(a bundles.Action) bool { return p.visible(b.Bundle, a.Action) })
}

// ReadsOnly reports whether nothing but reading may be done under the profile.
func (p Policy) ReadsOnly() bool {
	return p.Effects != nil && !slices.ContainsFunc(p.Effects, func(e metadata.Effect) bool { return e != metadata.Reads })
}

// A concealed action is hidden, and may be spoken of since the policy explains.
type concealed struct {
	listed
	limits []Limit
}

// explained returns the error that says what hides the action that is asked
// for, nil when it is not hidden or nobody is to know.
func (c *catalogue) explained(code metadata.Code, asked string, is func(concealed) bool) error {
	i := slices.IndexFunc(c.concealed, is)
	if i < 0 {
		return nil
	}
	return metadata.Errorf(code, "the profile %q hides %s", c.policy.Profile, asked).
		WithHint("The user can show it: %s.", c.policy.Explain(c.concealed[i].limits))
}

// meant returns the error that says what hides the tool that a name, which
// nothing visible has, means in other letters or with a slip; else nil.
func (c *catalogue) meant(code metadata.Code, name string) error {
	for _, same := range []func(a, b string) bool{metadata.SameName, metadata.OneTypo} {
		for _, reading := range readings(name) {
			i := slices.IndexFunc(c.concealed, func(h concealed) bool { return same(reading.name, h.Tool) })
			if i >= 0 {
				return c.explained(code, c.concealed[i].Tool, func(h concealed) bool { return h.Tool == c.concealed[i].Tool })
			}
		}
	}
	return nil
}
