package discovery

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"kota/bundles"
	"kota/metadata"
	"kota/metadata/search"
)

// Models and their clients rewrite names: gmail.send_message, gmailSendMessage,
// mcp__kota__gmail_send_message, a bare send_message. What names one action and
// no other is understood, whatever that action does. A name with a typo is
// understood only where the action at most writes, the name has no verb of
// reading that the action's has not, and the arguments fit: a slip must not send,
// nor make a change of what was to look. The same holds for the names that other
// servers give to an action: read_message, search_events. Where the action does
// what such a name says only with certain arguments, it is suggested with them.

// A candidate is an action with the bundle it belongs to, which may be off.
type candidate struct {
	bundles.Action
	bundle bundles.Bundle
	with   string // the arguments that make it do what its alias says; see metadata.Alias
}

// candidates returns every action there is under the policy.
func (c *Catalogue) candidates() []candidate {
	var all []candidate
	for _, b := range c.installed {
		for _, a := range b.Actions {
			all = append(all, candidate{Action: a, bundle: b})
		}
	}
	return all
}

// A resolved action is the one that a name stands for which is not its own.
type resolved struct {
	bundles.Action
	misspelt error // what to answer where the arguments do not fit; nil when the name is spelt right
}

// with returns the action that is to run with these arguments.
func (m resolved) with(args json.RawMessage) (bundles.Action, error) {
	if m.misspelt != nil {
		if _, err := m.Prepare(args); err != nil {
			return bundles.Action{}, m.misspelt
		}
	}
	return m.Action, nil
}

// Find returns the action that is meant by a name that no tool has.
func (c *Catalogue) Find(tool string, args json.RawMessage) (bundles.Action, error) {
	found, err := c.resolve(tool)
	if err != nil {
		return bundles.Action{}, err
	}
	return found.with(args)
}

func (c *Catalogue) resolve(tool string) (resolved, error) {
	if err := c.brokenTool(tool); err != nil {
		return resolved{}, err
	}
	all := c.candidates()
	for _, a := range c.kota.Actions {
		all = append(all, candidate{Action: a, bundle: c.kota})
	}
	found, slip := nearest(tool, all, false)
	if slip {
		if err := c.hiddenName(tool, func(h hiddenAction) bool { return h.Tool == tool }); err != nil {
			return resolved{}, err
		}
	}
	unknown := c.unknownTool("name", tool, found)
	if a, ok := unambiguous(tool, found, slip); ok {
		return a.on(slip, unknown)
	}
	if len(found) == 0 {
		if err := c.hiddenLike(metadata.ToolNotFound, tool); err != nil {
			return resolved{}, err
		}
	}
	return resolved{}, unknown
}

// hiddenName returns what to answer to the name of something that the profile hides,
// where the policy explains; else nil, as for what was never there.
func (c *Catalogue) hiddenName(name string, is func(hiddenAction) bool) error {
	return c.explained(metadata.ToolNotFound, name, is)
}

// on returns the action, or the error to answer when its bundle is off. Unknown
// is what to answer to a slip whose arguments do not fit.
func (a candidate) on(slip bool, unknown error) (resolved, error) {
	switch {
	case !a.bundle.Enabled:
		return resolved{}, bundleOff(a.bundle.Key)
	case slip:
		return resolved{a.Action, unknown}, nil
	}
	return resolved{Action: a.Action}, nil
}

// unambiguous returns the one action that was found for a name that is not its own,
// when it may be run for that. What reads may be one letter from what writes,
// and be hidden: get and set.
func unambiguous(name string, found []candidate, slip bool) (candidate, bool) {
	switch {
	case len(found) != 1 || found[0].with != "":
		return candidate{}, false
	case slip && !metadata.Writes.Covers(found[0].Effect):
		return candidate{}, false
	case slip && found[0].Effect != metadata.Reads && search.AsksToRead(name) && !search.AsksToRead(found[0].Tool):
		return candidate{}, false
	}
	return found[0], true
}

// nearest returns the actions that a name may mean: those it names in other
// letters or behind a prefix, else those that have it as an alias, else those it
// names with a slip. Where it is not known that they are of one bundle, a slip in
// less than a tool's name is no clue.
func nearest(name string, among []candidate, ofOne bool) (found []candidate, slip bool) {
	if found = matching(name, among, true, metadata.SameName); len(found) > 0 {
		return found, false
	}
	if found = aliased(name, among); len(found) > 0 {
		return found, true
	}
	return matching(name, among, ofOne, metadata.OneTypo), true
}

// matching returns the actions that one reading of the name is the name of: of
// the tool, or else, where bare names count, of the action alone.
func matching(name string, among []candidate, bare bool, same func(a, b string) bool) []candidate {
	for _, reading := range readings(name) {
		found := filter(among, func(a candidate) bool { return same(reading.name, a.Tool) })
		if len(found) == 0 && bare && reading.bare {
			found = filter(among, func(a candidate) bool { return same(reading.name, a.Name) })
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// aliased returns the actions that other servers call by one reading of the name.
func aliased(name string, among []candidate) (found []candidate) {
	for _, reading := range readings(name) {
		for _, a := range among {
			if alias, ok := a.Aliased(reading.name); ok {
				a.with = alias.With
				found = append(found, a)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

func filter(among []candidate, keep func(candidate) bool) []candidate {
	var kept []candidate
	for _, a := range among {
		if keep(a) {
			kept = append(kept, a)
		}
	}
	return kept
}

// clients are the words that clients put before the names of KOTA's tools.
var clients = []string{"mcp", "kota", "functions"}

// A reading is a name without what may be a client's prefix.
type reading struct {
	name string
	bare bool // it may be an action's name without the bundle's
}

// mostPrefixes is how many prefixes a name may stand behind.
const mostPrefixes = 4

// readings returns the name as it is, then without each prefix: up to a colon,
// a point, a slash or a double underscore, or one of clients. Behind any other
// word than those only a whole tool name is meant: outlook.send_message is no
// mail of KOTA's.
func readings(name string) []reading {
	all := []reading{{strings.TrimSpace(name), true}}
	for range mostPrefixes {
		last := all[len(all)-1]
		prefix, rest := cutPrefix(last.name)
		if rest == "" {
			break
		}
		all = append(all, reading{rest, last.bare && isClient(prefix)})
	}
	return all
}

func cutPrefix(name string) (prefix, rest string) {
	for i, r := range name {
		switch {
		case strings.ContainsRune(":./", r):
			return name[:i], name[i+1:]
		case strings.HasPrefix(name[i:], "__"), strings.ContainsRune("_-", r) && isClient(name[:i]):
			return name[:i], strings.TrimLeft(name[i:], "_-")
		}
	}
	return "", ""
}

func isClient(word string) bool {
	return slices.ContainsFunc(clients, func(client string) bool { return metadata.SameName(client, word) })
}

// unknownTool is the answer to a name, which stood at path, that means no tool
// for certain. It suggests the tools that are on among those found, else the
// nearest ones, and nothing that sends or deletes for a name that reads.
func (c *Catalogue) unknownTool(path, tool string, found []candidate) error {
	var near, shown []string
	for _, a := range found {
		if a.bundle.Enabled && c.policy.Offers(a.Action) && harmless(tool, a.Action.Action) {
			near, shown = append(near, a.Tool), append(shown, a.shown(a.Tool))
		}
	}
	if len(near) == 0 {
		near = metadata.Nearest(tool, c.offeredTools(tool), 3)
		shown = near
	}
	e := metadata.Errorf(metadata.ToolNotFound, "there is no tool %q", metadata.Shorten(tool))
	problem := metadata.Problem{Path: path, Expected: "the name of a tool", Got: fmt.Sprintf("%q", metadata.Shorten(tool))}
	if len(near) > 0 {
		problem.Suggestion = near[0]
		e.WithHint("Did you mean %s? Otherwise search with kota_discover_bundles {\"query\": …}.", strings.Join(shown[:min(len(shown), 3)], ", "))
	} else {
		e.WithHint("Search with kota_discover_bundles {\"query\": \"what you want to do\"}.")
	}
	e.Problems = []metadata.Problem{problem}
	return e
}

// shown is the name with the arguments that its alias stands for.
func (a candidate) shown(name string) string {
	if a.with == "" {
		return name
	}
	return name + " with " + a.with
}

// harmless reports whether the action may be suggested for a name that somebody
// used: for one that reads, only what neither sends nor deletes.
func harmless(name string, a metadata.Action) bool {
	return !search.MayAskToRead(name) || a.Effect != metadata.Sends && !search.Deletes(a)
}

// offeredTools are the sorted names of tools that may run and may be suggested for that name.
func (c *Catalogue) offeredTools(name string) []string {
	var names []string
	for _, a := range c.kota.Actions {
		names = append(names, a.Tool)
	}
	for _, b := range c.installed {
		for _, a := range b.Actions {
			if b.Enabled && c.policy.Offers(a) && harmless(name, a.Action) {
				names = append(names, a.Tool)
			}
		}
	}
	slices.Sort(names)
	return names
}
