// Package discovery has the four kota tools, which find, describe and run the
// actions of all bundles. It guarantees that:
//   - it names a hidden action only if Policy.Remedy says how to show it,
//   - a search that finds nothing returns the names of the callable actions,
//   - for a name with a verb of reading, it never suggests an action that sends or deletes.
//
// Start with Catalogue, which lists the actions, and kota.go, which binds the tools. The files
// discover*.go have kota_discover_bundles, and describe*.go have kota_describe_bundle. The file
// find.go resolves the names of tools. The files find_action.go and request.go resolve the names
// of actions in calls of entry points.
package discovery

import (
	"context"
	"slices"
	"sync"

	"kota/bundles"
	"kota/entrypoint"
	"kota/metadata"
	"kota/metadata/search"
)

// A Catalogue is what the discovery tools know: every bundle that the policy does not
// hide, with the actions that may be called. It also has actions that may not be
// called, so that the tools can say why. A Catalogue never changes.
type Catalogue struct {
	bundles       []metadata.Bundle
	actions       []catalogueAction // in catalogue order
	withheld      []catalogueAction // visible actions of which the policy allows no call
	hiddenActions []hiddenAction    // hidden by the profile; empty unless the policy explains what it hides
	all           []catalogueAction // the three lists above, in the order of the index entries
	index         func() *search.Index
	texts         func() []string // the texts of the index entries

	kota      bundles.Bundle    // the discovery tools
	installed []bundles.Bundle  // the visible bundles, enabled or not, in catalogue order
	broken    map[string]string // why enabled bundles cannot work, by their keys
	usedWith  *coUsage

	profile      string
	instructions string
	policy       Policy
	semantic     SemanticSearch
	problem      func(key string) string
}

// Options configures the discovery tools.
type Options struct {
	All       []bundles.Bundle  // every installed bundle
	Installed []bundles.Bundle  // the visible bundles, with their visible actions
	Broken    map[string]string // why enabled bundles cannot work, by their keys

	Profile      string // the profile's name, for messages
	Instructions string // the profile's text for the model, or ""
	Policy       Policy

	SemanticSearch SemanticSearch                          // a second way to search; nil: search by words only
	Problem        func(key string) string                 // why a bundle cannot work now, or "" if it can; nil: nothing is known
	Pairs          func(context.Context) map[[2]string]int // how often tools were called soon after one another; nil: nothing is known
}

// Policy is the part of the policy that the discovery tools need.
type Policy interface {
	Offers(bundles.Action) bool                                   // whether the profile and the granted rights let some call of the action run
	Granted(metadata.Action) bool                                 // whether an account has granted the rights that the action needs
	WithheldError(metadata.Action) error                          // why no call of the action may run
	Remedy(metadata.Bundle, metadata.Action) string               // how the user can show an action that the profile hides; "" if KOTA must not mention the action
	AllowedArgs(bundles.Action, any) (any, metadata.Effect, bool) // the arguments, changed if necessary so that the call may run, and its effect; false if no such call may run
	MaySend(bundle string) bool                                   // whether some action of the bundle may send to people
	ReadsOnly() bool                                              // whether only reads are allowed
	EffectsSummary([]bundles.Bundle) string                       // what calls may do, as text for a model
}

// A catalogueAction is an action with a link to its bundle.
type catalogueAction struct {
	*metadata.Action
	bundle *metadata.Bundle
}

// New returns a catalogue with the bundles in o.
func New(o Options) *Catalogue {
	c := &Catalogue{
		installed: o.Installed, broken: o.Broken, profile: o.Profile, instructions: o.Instructions, policy: o.Policy,
		semantic: o.SemanticSearch, problem: o.Problem, usedWith: &coUsage{pairs: o.Pairs},
	}
	for _, b := range o.Installed {
		about := b.Bundle
		withheld := 0
		for i, a := range b.Actions {
			if !c.policy.Offers(a) {
				c.withheld = append(c.withheld, catalogueAction{Action: &b.Actions[i].Action, bundle: &b.Bundle})
				withheld++
			}
		}
		if withheld > 0 || len(b.Bundle.Actions) != len(b.Actions) { // otherwise the list is right
			about.Actions = make([]metadata.Action, 0, len(b.Actions)-withheld)
			for _, a := range b.Actions {
				if c.policy.Offers(a) {
					about.Actions = append(about.Actions, a.Action)
				}
			}
		}
		about.Relationships = relationsAmong(o.Installed, b.Relationships)
		c.bundles = append(c.bundles, about)
	}
	for i := range c.bundles {
		for n := range c.bundles[i].Actions {
			c.actions = append(c.actions, catalogueAction{Action: &c.bundles[i].Actions[n], bundle: &c.bundles[i]})
		}
	}
	for i := range c.bundles {
		c.bundles[i].Workflows = slices.DeleteFunc(slices.Clone(c.bundles[i].Workflows), func(w metadata.Workflow) bool { return !c.canDo(w) })
	}
	c.addHidden(o.All)
	c.all = slices.Concat(c.actions, c.withheld)
	for _, h := range c.hiddenActions {
		c.all = append(c.all, h.catalogueAction)
	}
	// The index is built on the first search, because most processes only make
	// direct calls.
	c.index = sync.OnceValue(func() *search.Index {
		entries := c.entries()
		return search.NewIndex(entries, search.Options{OutOfScope: search.OutOfScope(entries), Classifier: search.Classifier()})
	})
	c.texts = sync.OnceValue(func() []string {
		var texts []string
		for _, e := range c.entries() {
			texts = append(texts, e.Text())
		}
		return texts
	})
	c.kota = c.kotaTools()
	return c
}

// entries returns the search entries, in the order of c.all.
func (c *Catalogue) entries() []search.Entry {
	var entries []search.Entry
	for _, a := range c.all {
		about := *a.bundle
		about.Actions = []metadata.Action{*a.Action}
		entries = append(entries, search.Entries(about)...)
	}
	return entries
}

// relationsAmong returns the relationships to installed bundles, with Enabled set.
func relationsAmong(installed []bundles.Bundle, relationships []metadata.Relationship) []metadata.Relationship {
	kept := []metadata.Relationship{}
	for _, relationship := range relationships {
		i := slices.IndexFunc(installed, func(b bundles.Bundle) bool { return b.Key == relationship.Bundle })
		if i >= 0 {
			relationship.Enabled = &installed[i].Enabled
			kept = append(kept, relationship)
		}
	}
	return kept
}

// canDo reports whether every step of the workflow is an offered tool or a discovery tool.
func (c *Catalogue) canDo(w metadata.Workflow) bool {
	return !slices.ContainsFunc(w.Steps, func(step metadata.Step) bool {
		return !entrypoint.IsDiscoveryTool(step.Tool) && !slices.ContainsFunc(c.actions, func(a catalogueAction) bool { return a.Tool == step.Tool })
	})
}

// addHidden collects the actions that the profile hides and whose remedy KOTA may mention.
func (c *Catalogue) addHidden(all []bundles.Bundle) {
	for _, b := range all {
		for i, a := range b.Actions {
			if remedy := c.policy.Remedy(b.Bundle, a.Action); remedy != "" {
				c.hiddenActions = append(c.hiddenActions, hiddenAction{catalogueAction{Action: &b.Actions[i].Action, bundle: &b.Bundle}, remedy})
			}
		}
	}
}

// bundle returns the description of the bundle with this key, or false.
func (c *Catalogue) bundle(key string) (metadata.Bundle, bool) {
	i := slices.IndexFunc(c.bundles, func(b metadata.Bundle) bool { return b.Key == key })
	if i < 0 {
		return metadata.Bundle{}, false
	}
	return c.bundles[i], true
}

// keys returns the keys of all bundles, in catalogue order.
func (c *Catalogue) keys() []string {
	keys := make([]string, 0, len(c.bundles))
	for _, b := range c.bundles {
		keys = append(keys, b.Key)
	}
	return keys
}

// EnabledBundles returns the enabled bundles as the discovery tools describe them.
func (c *Catalogue) EnabledBundles() []metadata.Bundle {
	enabled := slices.DeleteFunc(slices.Clone(c.bundles), func(b metadata.Bundle) bool { return !b.Enabled })
	for i := range enabled {
		enabled[i].Unavailable = c.unavailableReason(enabled[i])
	}
	return enabled
}

// Listable returns the actions of the enabled bundles: the first action of each bundle,
// then the second of each, and so on. So a client that lists only a few actions has
// some of each bundle.
func (c *Catalogue) Listable() []metadata.Action {
	var actions []metadata.Action
	for n, more := 0, true; more; n++ {
		more = false
		for _, b := range c.bundles {
			if b.Enabled && n < len(b.Actions) {
				actions, more = append(actions, b.Actions[n]), true
			}
		}
	}
	return actions
}
