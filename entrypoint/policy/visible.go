package policy

import (
	"slices"

	"kota/bundles"
	"kota/metadata"
)

// A Filter is one of the lists by which a profile hides actions, named as in bundles.yaml.
type Filter string

const (
	ByBundles Filter = "bundles"
	ByTags    Filter = "tags"
	ByActions Filter = "actions"
	ByWithout Filter = "without"
)

// visible reports whether the action exists under this policy. Unless Explain is set, every
// channel answers a call of an invisible action exactly like a call of an unknown name.
func (p Policy) visible(b metadata.Bundle, a metadata.Action) bool { return len(p.hiddenBy(b, a)) == 0 }

// hiddenBy returns the filters that hide the action. An action is visible only if it passes every
// filter.
func (p Policy) hiddenBy(b metadata.Bundle, a metadata.Action) []Filter {
	var by []Filter
	if p.Bundles != nil && !slices.Contains(p.Bundles, b.Key) {
		by = append(by, ByBundles)
	}
	if p.Tags != nil && !slices.ContainsFunc(p.Tags, func(tag string) bool { return a.HasTag(b.Tags, tag) }) {
		by = append(by, ByTags)
	}
	if p.Actions != nil && !isListed(p.Actions, b, a) {
		by = append(by, ByActions)
	}
	if isListed(p.Without, b, a) {
		by = append(by, ByWithout)
	}
	return by
}

// isListed reports whether the list contains the action. An entry is the name of a tool, or
// a whole bundle as in "memory_*".
func isListed(list []string, b metadata.Bundle, a metadata.Action) bool {
	return slices.Contains(list, a.Tool) || slices.Contains(list, b.Key+"_*")
}

// Count returns how many actions of the bundle the profile offers. It includes actions whose
// scopes no account has granted.
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

// Shows reports whether the tool is an action of the bundle and exists under the profile.
func (p Policy) Shows(b bundles.Bundle, tool string) bool {
	return slices.ContainsFunc(b.Actions, func(a bundles.Action) bool { return a.Tool == tool && p.visible(b.Bundle, a.Action) })
}

// ShowsAny reports whether some tool of the bundle exists under the profile.
func (p Policy) ShowsAny(b bundles.Bundle) bool {
	return slices.ContainsFunc(b.Actions, func(a bundles.Action) bool { return p.visible(b.Bundle, a.Action) })
}

// ReadsOnly reports whether the profile allows only reads.
func (p Policy) ReadsOnly() bool {
	return p.Effects != nil && !slices.ContainsFunc(p.Effects, func(e metadata.Effect) bool { return e != metadata.Reads })
}

// Remedy returns how the user can show an action that the profile hides. It returns "" if
// the action is visible or the policy does not explain what it hides.
func (p Policy) Remedy(b metadata.Bundle, a metadata.Action) string {
	if p.Explain == nil {
		return ""
	}
	if filters := p.hiddenBy(b, a); len(filters) > 0 {
		return p.Explain(filters)
	}
	return ""
}

// Visible returns the bundles that exist under the policy, with their visible actions. A
// resource or prompt is visible only if the policy offers the action that it belongs to.
func (p Policy) Visible(all []bundles.Bundle) []bundles.Bundle {
	var visible []bundles.Bundle
	for _, b := range p.WithoutHidden(all) {
		hidden := func(a bundles.Action) bool { return !p.visible(b.Bundle, a.Action) }
		if slices.ContainsFunc(b.Actions, hidden) { // otherwise the list needs no copy
			b.Actions = slices.DeleteFunc(slices.Clone(b.Actions), hidden)
		}
		if len(b.Actions) == 0 && (!b.IsBroken() || len(p.hiddenBy(b.Bundle, metadata.Action{})) > 0) {
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
