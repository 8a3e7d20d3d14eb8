package entrypoint

import (
	"slices"
	"sync"

	"kota/bundles"
	"kota/metadata"
)

// A catalogue is what the discovery tools show: every bundle that exists under
// the policy, with the actions that some call may run. It never changes.
type catalogue struct {
	bundles  []metadata.Bundle
	actions  []listed // in catalogue order
	withheld []listed // that no call may run under the policy
	all      []listed // both in this order: the entries of the index
	policy   Policy
	index    func() *metadata.Index
}

// A listed action knows the bundle it belongs to.
type listed struct {
	metadata.Action
	bundle *metadata.Bundle
}

func newCatalogue(installed []bundles.Bundle, policy Policy) *catalogue {
	on := map[string]bool{}
	for _, b := range installed {
		on[b.Key] = b.Enabled
	}
	c := &catalogue{policy: policy}
	for _, b := range installed {
		about := b.Bundle
		about.Actions = []metadata.Action{}
		for _, a := range b.Actions {
			if !policy.offers(a) {
				c.withheld = append(c.withheld, listed{Action: a.Action, bundle: &b.Bundle})
				continue
			}
			about.Actions = append(about.Actions, a.Action)
		}
		about.Relationships = slices.Clone(about.Relationships)
		for i := range about.Relationships {
			enabled := on[about.Relationships[i].Bundle]
			about.Relationships[i].Enabled = &enabled
		}
		c.bundles = append(c.bundles, about)
	}
	for i := range c.bundles {
		for _, a := range c.bundles[i].Actions {
			c.actions = append(c.actions, listed{Action: a, bundle: &c.bundles[i]})
		}
	}
	c.all = slices.Concat(c.actions, c.withheld)
	// Most processes are started for direct calls: the index is built when
	// somebody first searches.
	c.index = sync.OnceValue(func() *metadata.Index {
		var entries []metadata.Entry
		for _, a := range c.all {
			about := *a.bundle
			about.Actions = []metadata.Action{a.Action}
			entries = append(entries, metadata.Entries(about)...)
		}
		return metadata.NewIndex(entries)
	})
	return c
}

// bundle returns the description of the bundle with that key.
func (c *catalogue) bundle(key string) (metadata.Bundle, bool) {
	i := slices.IndexFunc(c.bundles, func(b metadata.Bundle) bool { return b.Key == key })
	if i < 0 {
		return metadata.Bundle{}, false
	}
	return c.bundles[i], true
}

// keys returns the keys of all bundles, in catalogue order.
func (c *catalogue) keys() []string {
	keys := make([]string, 0, len(c.bundles))
	for _, b := range c.bundles {
		keys = append(keys, b.Key)
	}
	return keys
}
