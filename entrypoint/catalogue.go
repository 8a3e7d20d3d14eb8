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
	bundles   []metadata.Bundle
	actions   []listed    // in catalogue order
	withheld  []listed    // that no call may run under the policy
	concealed []concealed // that the profile hides; empty unless the policy explains
	all       []listed    // all of these in this order: the entries of the index
	policy    Policy
	index     func() *metadata.Index
	texts     func() []string // of the entries
	meaning   Meaning
	trouble   func(key string) string // see Options

	companions *companions
	runnable   func(tool string) (bundles.Action, bool) // of the bundles that are on
}

// A listed action knows the bundle it belongs to.
type listed struct {
	metadata.Action
	bundle *metadata.Bundle
}

// newCatalogue returns the catalogue of all bundles, of which installed are
// those that are visible, with their visible actions.
func newCatalogue(all, installed []bundles.Bundle, policy Policy) *catalogue {
	c := &catalogue{policy: policy}
	for _, b := range installed {
		about := b.Bundle
		about.Actions = []metadata.Action{}
		for _, a := range b.Actions {
			if policy.offers(a) {
				about.Actions = append(about.Actions, a.Action)
				continue
			}
			c.withheld = append(c.withheld, listed{Action: a.Action, bundle: &b.Bundle})
		}
		about.Relationships = relationsAmong(installed, b.Relationships)
		c.bundles = append(c.bundles, about)
	}
	for i := range c.bundles {
		for _, a := range c.bundles[i].Actions {
			c.actions = append(c.actions, listed{Action: a, bundle: &c.bundles[i]})
		}
	}
	for i := range c.bundles {
		c.bundles[i].Workflows = slices.DeleteFunc(slices.Clone(c.bundles[i].Workflows), func(w metadata.Workflow) bool { return !c.canDo(w) })
	}
	if policy.Explain != nil {
		c.conceal(all)
	}
	c.all = slices.Concat(c.actions, c.withheld)
	for _, h := range c.concealed {
		c.all = append(c.all, h.listed)
	}
	// Most processes are started for direct calls: the index is built when
	// somebody first searches.
	c.index = sync.OnceValue(func() *metadata.Index {
		entries := c.entries()
		return metadata.NewIndex(entries, metadata.Beyond(entries)...)
	})
	c.texts = sync.OnceValue(func() []string {
		var texts []string
		for _, e := range c.entries() {
			texts = append(texts, e.Text())
		}
		return texts
	})
	return c
}

// entries are what can be found, in the order of all.
func (c *catalogue) entries() []metadata.Entry {
	var entries []metadata.Entry
	for _, a := range c.all {
		about := *a.bundle
		about.Actions = []metadata.Action{a.Action}
		entries = append(entries, metadata.Entries(about)...)
	}
	return entries
}

// relationsAmong returns the relationships to bundles that exist, with whether
// they are on.
func relationsAmong(installed []bundles.Bundle, all []metadata.Relationship) []metadata.Relationship {
	kept := []metadata.Relationship{}
	for _, relationship := range all {
		i := slices.IndexFunc(installed, func(b bundles.Bundle) bool { return b.Key == relationship.Bundle })
		if i >= 0 {
			relationship.Enabled = &installed[i].Enabled
			kept = append(kept, relationship)
		}
	}
	return kept
}

// canDo reports whether every step of the workflow is a tool that is offered.
func (c *catalogue) canDo(w metadata.Workflow) bool {
	return !slices.ContainsFunc(w.Steps, func(step metadata.Step) bool {
		return !isKota(step.Tool) && !slices.ContainsFunc(c.actions, func(a listed) bool { return a.Tool == step.Tool })
	})
}

// conceal notes what the profile hides.
func (c *catalogue) conceal(all []bundles.Bundle) {
	for _, b := range all {
		for _, a := range b.Actions {
			if limits := c.policy.hides(b.Bundle, a.Action); len(limits) > 0 {
				c.concealed = append(c.concealed, concealed{listed{Action: a.Action, bundle: &b.Bundle}, limits})
			}
		}
	}
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
