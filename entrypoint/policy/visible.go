package policy

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

// visible reports whether the action exists at all under this policy. Every channel
// answers a call of an invisible action exactly like one of an unknown name.
func (p Policy) visible(b metadata.Bundle, a metadata.Action) bool { return len(p.hides(b, a)) == 0 }

// hides returns the limits that hide the action, none when it is visible: an
// action has to be within all of them.
func (p Policy) hides(b metadata.Bundle, a metadata.Action) []Limit {
	var by []Limit
	if p.Bundles != nil && !slices.Contains(p.Bundles, b.Key) {
		by = append(by, ByBundles)
	}
	if p.Tags != nil && !slices.ContainsFunc(p.Tags, func(tag string) bool { return a.HasTag(b.Tags, tag) }) {
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
	p.MissingScopes = nil
	n := 0
	for _, a := range b.Actions {
		if p.visible(b.Bundle, a.Action) && p.Offers(a) {
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

// Remedy returns how the user shows an action that the profile hides: "" for one that
// is visible, or where the policy does not explain.
func (p Policy) Remedy(b metadata.Bundle, a metadata.Action) string {
	if p.Explain == nil {
		return ""
	}
	if limits := p.hides(b, a); len(limits) > 0 {
		return p.Explain(limits)
	}
	return ""
}

// Visible returns the bundles that exist under the policy, with the actions of them
// that do. What shows the same as an action comes and goes with it.
func (p Policy) Visible(all []bundles.Bundle) []bundles.Bundle {
	var visible []bundles.Bundle
	for _, b := range p.WithoutHidden(all) {
		b.Actions = slices.DeleteFunc(slices.Clone(b.Actions), func(a bundles.Action) bool { return !p.visible(b.Bundle, a.Action) })
		if len(b.Actions) == 0 && (!b.IsBroken() || len(p.hides(b.Bundle, metadata.Action{})) > 0) {
			continue
		}
		offered := func(action string) bool {
			return slices.ContainsFunc(b.Actions, func(a bundles.Action) bool { return a.Name == action && p.Offers(a) })
		}
		b.Resources = slices.DeleteFunc(slices.Clone(b.Resources), func(x bundles.Resource) bool { return !offered(x.Action) })
		b.Prompts = slices.DeleteFunc(slices.Clone(b.Prompts), func(x bundles.Prompt) bool { return !offered(x.Action) })
		visible = append(visible, b)
	}
	return visible
}
