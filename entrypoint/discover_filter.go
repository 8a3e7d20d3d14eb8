package entrypoint

import (
	"slices"
	"strings"

	"kota/metadata"
)

// bundleKey returns the key of the bundle that is asked for, however its
// letters are written; "" stands for any.
func (c *catalogue) bundleKey(name string) (string, error) {
	name = strings.TrimSpace(name)
	if name == "" {
		return "", nil
	}
	for _, key := range c.keys() {
		if strings.EqualFold(key, name) {
			return key, nil
		}
	}
	return "", c.unknownBundle(name)
}

// holds reports whether some action of the bundle passes every filter.
func (c *catalogue) holds(b *metadata.Bundle, in discoverIn) bool {
	return slices.ContainsFunc(c.actions, func(a listed) bool { return a.bundle == b && in.admits(a) })
}

// admits reports whether the action passes every filter.
func (in discoverIn) admits(a listed) bool {
	return (!in.EnabledOnly || a.bundle.Enabled) && in.concerns(a)
}

// concerns reports whether the action is of the kind that is asked for, in a
// bundle that is on or off.
func (in discoverIn) concerns(a listed) bool {
	return (in.Bundle == "" || a.bundle.Key == in.Bundle) &&
		(in.Category == "" || a.bundle.Category == in.Category) &&
		(in.Effect == "" || string(a.Effect) == in.Effect) &&
		(len(in.Tags) == 0 || slices.ContainsFunc(in.Tags, func(tag string) bool {
			return hasTag(a.bundle.Tags, tag) || hasTag(a.Tags, tag)
		}))
}

func hasTag(tags []string, want string) bool {
	return slices.ContainsFunc(tags, func(tag string) bool { return strings.EqualFold(tag, strings.TrimSpace(want)) })
}
