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
// mcp__kota__gmail_send_message, a bare send_message. KOTA accepts a rewritten name
// if it fits exactly one action, whatever that action does.
//
// KOTA accepts a misspelt name only if the action at most writes and the arguments
// fit. If the name has a verb of reading, an action that writes must have one in its name
// too. A typo must not send anything, or turn a read into a change.
//
// The same rule holds for the names that other servers give to an action, such as
// read_message. If the action does the same only with certain arguments, KOTA suggests
// these arguments.

// A candidate is an action with its bundle, which may be disabled.
type candidate struct {
	bundles.Action
	bundle    bundles.Bundle
	aliasArgs string // Alias.With of the alias that matched the name; "" if none
}

// candidates returns every visible action, also those of disabled bundles.
func (c *Catalogue) candidates() []candidate {
	var all []candidate
	for _, b := range c.installed {
		for _, a := range b.Actions {
			all = append(all, candidate{Action: a, bundle: b})
		}
	}
	return all
}

// A resolution is the action that an inexact name stands for.
type resolution struct {
	bundles.Action
	misspeltError error // the error if the name is misspelt and the arguments do not fit; nil if the name is not misspelt
}

// forArgs returns the action to run with these arguments.
func (m resolution) forArgs(args json.RawMessage) (bundles.Action, error) {
	if m.misspeltError != nil {
		if _, err := m.Prepare(args); err != nil {
			return bundles.Action{}, m.misspeltError
		}
	}
	return m.Action, nil
}

// Find returns the action that an inexact tool name stands for.
func (c *Catalogue) Find(tool string, args json.RawMessage) (bundles.Action, error) {
	found, err := c.resolve(tool)
	if err != nil {
		return bundles.Action{}, err
	}
	return found.forArgs(args)
}

func (c *Catalogue) resolve(tool string) (resolution, error) {
	if err := c.brokenToolError(tool); err != nil {
		return resolution{}, err
	}
	all := c.candidates()
	for _, a := range c.kota.Actions {
		all = append(all, candidate{Action: a, bundle: c.kota})
	}
	found, misspelt := nearest(tool, all, false)
	if misspelt {
		if err := c.hiddenNameError(tool, func(h hiddenAction) bool { return h.Tool == tool }); err != nil {
			return resolution{}, err
		}
	}
	unknown := c.unknownToolError("name", tool, found)
	if a, ok := unambiguous(tool, found, misspelt); ok {
		return a.ifEnabled(misspelt, unknown)
	}
	if len(found) == 0 {
		if err := c.similarHiddenError(metadata.ToolNotFound, tool); err != nil {
			return resolution{}, err
		}
	}
	return resolution{}, unknown
}

// hiddenNameError returns the error for the name of a hidden action, if the policy explains
// what it hides. Otherwise it returns nil, as for a name that never existed.
func (c *Catalogue) hiddenNameError(name string, is func(hiddenAction) bool) error {
	return c.hiddenError(metadata.ToolNotFound, name, is)
}

// ifEnabled returns the action, or an error if its bundle is disabled. The parameter unknown
// is the error for a misspelt name whose arguments do not fit.
func (a candidate) ifEnabled(misspelt bool, unknown error) (resolution, error) {
	switch {
	case !a.bundle.Enabled:
		return resolution{}, bundleOffError(a.bundle.Key)
	case misspelt:
		return resolution{a.Action, unknown}, nil
	}
	return resolution{Action: a.Action}, nil
}

// unambiguous returns the only action found for an inexact name, if a call by this name
// may run it. A misspelt name never runs an action that sends or destroys. A misspelt name
// with a verb of reading runs a write only if the tool's name has such a verb too. The
// caller may have meant a hidden action: get differs from set by one letter.
func unambiguous(name string, found []candidate, misspelt bool) (candidate, bool) {
	switch {
	case len(found) != 1 || found[0].aliasArgs != "":
		return candidate{}, false
	case misspelt && !metadata.Writes.Covers(found[0].Effect):
		return candidate{}, false
	case misspelt && found[0].Effect != metadata.Reads && search.AsksToRead(name) && !search.AsksToRead(found[0].Tool):
		return candidate{}, false
	}
	return found[0], true
}

// nearest returns the actions that a name may mean, and whether the name is misspelt or an
// alias. It tries, in this order: another spelling or a prefix, an alias, a typo. If
// oneBundle is false, a typo counts only in a whole tool name.
func nearest(name string, candidates []candidate, oneBundle bool) (found []candidate, misspelt bool) {
	if found = matching(name, candidates, true, metadata.SameName); len(found) > 0 {
		return found, false
	}
	if found = withAlias(name, candidates); len(found) > 0 {
		return found, true
	}
	return matching(name, candidates, oneBundle, metadata.OneTypo), true
}

// matching returns the actions for the first spelling of the name that matches any action. A
// spelling may match a tool's name or, if byActionName is true, an action's name.
func matching(name string, candidates []candidate, byActionName bool, same func(a, b string) bool) []candidate {
	for _, reading := range spellings(name) {
		found := filter(candidates, func(a candidate) bool { return same(reading.name, a.Tool) })
		if len(found) == 0 && byActionName && reading.mayLackBundle {
			found = filter(candidates, func(a candidate) bool { return same(reading.name, a.Name) })
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// withAlias tries the spellings of the name in order. For the first spelling that is an alias
// of any action, it returns all actions with that alias.
func withAlias(name string, candidates []candidate) (found []candidate) {
	for _, reading := range spellings(name) {
		for _, a := range candidates {
			if alias, ok := a.Aliased(reading.name); ok {
				a.aliasArgs = alias.With
				found = append(found, a)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

func filter(candidates []candidate, keep func(candidate) bool) []candidate {
	var kept []candidate
	for _, a := range candidates {
		if keep(a) {
			kept = append(kept, a)
		}
	}
	return kept
}

// clientPrefixes lists the words that clients put before the names of KOTA's tools.
var clientPrefixes = []string{"mcp", "kota", "functions"}

// A spelling is a name from which the first prefixes, if any, were removed: see spellings.
type spelling struct {
	name          string
	mayLackBundle bool // it may be the name of an action without its bundle
}

// maxPrefixes is the maximum number of prefixes that KOTA removes from a name.
const maxPrefixes = 4

// spellings returns the name unchanged, then without its first prefix, then
// without the next, and so on. A prefix ends with a colon, a dot, a slash or a
// double underscore, or is one of clientPrefixes. If a removed prefix is not in
// clientPrefixes, the rest must be a complete tool name: outlook.send_message
// does not mean gmail_send_message.
func spellings(name string) []spelling {
	list := []spelling{{strings.TrimSpace(name), true}}
	for range maxPrefixes {
		last := list[len(list)-1]
		prefix, rest := cutPrefix(last.name)
		if rest == "" {
			break
		}
		list = append(list, spelling{rest, last.mayLackBundle && isClientPrefix(prefix)})
	}
	return list
}

// cutPrefix splits a name after its first prefix. It returns "" and "" if there is none.
func cutPrefix(name string) (prefix, rest string) {
	for i, r := range name {
		switch {
		case strings.ContainsRune(":./", r):
			return name[:i], name[i+1:]
		case strings.HasPrefix(name[i:], "__"), strings.ContainsRune("_-", r) && isClientPrefix(name[:i]):
			return name[:i], strings.TrimLeft(name[i:], "_-")
		}
	}
	return "", ""
}

func isClientPrefix(word string) bool {
	return slices.ContainsFunc(clientPrefixes, func(client string) bool { return metadata.SameName(client, word) })
}

// unknownToolError returns the error for a name that means no single tool. The path is the
// argument with the name. The error suggests the enabled tools in found, or else the tools
// with the nearest names: see maySuggest.
func (c *Catalogue) unknownToolError(path, tool string, found []candidate) error {
	var near, shown []string
	for _, a := range found {
		if a.bundle.Enabled && c.policy.Offers(a.Action) && maySuggest(tool, a.Action.Action) {
			near, shown = append(near, a.Tool), append(shown, a.withAliasArgs(a.Tool))
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

// withAliasArgs returns the name, followed by aliasArgs if there are any.
func (a candidate) withAliasArgs(name string) string {
	if a.aliasArgs == "" {
		return name
	}
	return name + " with " + a.aliasArgs
}

// maySuggest reports whether KOTA may suggest the action for a name that a caller used. For
// a name with a verb of reading, it may not suggest an action that sends or deletes.
func maySuggest(name string, a metadata.Action) bool {
	return !search.MayAskToRead(name) || a.Effect != metadata.Sends && !search.Deletes(a)
}

// offeredTools returns the sorted names of the discovery tools and of the enabled tools that
// KOTA may suggest for the name.
func (c *Catalogue) offeredTools(name string) []string {
	var names []string
	for _, a := range c.kota.Actions {
		names = append(names, a.Tool)
	}
	for _, b := range c.installed {
		for _, a := range b.Actions {
			if b.Enabled && c.policy.Offers(a) && maySuggest(name, a.Action) {
				names = append(names, a.Tool)
			}
		}
	}
	slices.Sort(names)
	return names
}
