package discovery

import (
	"fmt"
	"slices"
	"strings"

	"kota/bundles"
	"kota/entrypoint"
	"kota/metadata"
)

// resolveAction returns the action that a call of an entry point names. It accepts
// another spelling, the tool's name in either field, and a missing bundle if the action's
// name is enough.
func (c *Catalogue) resolveAction(bundle, action string) (resolution, error) {
	if tool := c.discoveryTool(bundle, action); tool != "" {
		e := metadata.Errorf(metadata.ToolNotFound, "%s is not an action of a bundle", tool)
		e.Problems = []metadata.Problem{{Path: "action", Expected: "an action of a bundle", Got: tool}}
		return resolution{}, e.WithHint("Call the tool %s directly.", tool)
	}
	found, err := c.resolveVisible(bundle, action)
	if err != nil {
		if hidden := c.similarHiddenError(metadata.ToolNotFound, bundle+"_"+action); hidden != nil {
			return resolution{}, hidden
		}
	}
	return found, err
}

// resolveVisible is resolveAction without errors about hidden actions with similar names. It
// does return the errors about hidden actions with exactly this name.
func (c *Catalogue) resolveVisible(bundle, action string) (resolution, error) {
	if err := c.brokenBundleError(bundle); err != nil {
		return resolution{}, err
	}
	if bundle == "" || isClientPrefix(bundle) {
		return c.resolveWithoutBundle(bundle, action)
	}
	all := c.candidates()
	actions, bundleMisspelt := actionsOfBundle(bundle, all)
	if bundleMisspelt {
		if err := c.hiddenNameError(bundle, func(h hiddenAction) bool { return h.bundle.Key == bundle }); err != nil {
			return resolution{}, err
		}
	}
	if len(actions) == 0 {
		return c.resolveToolAsBundle(bundle, action, all)
	}
	found, misspelt := nearest(action, actions, true)
	if misspelt {
		is := func(h hiddenAction) bool { return h.bundle.Key == bundle && (h.Name == action || h.Tool == action) }
		if err := c.hiddenNameError(bundle+" "+action, is); err != nil {
			return resolution{}, err
		}
	}
	unknown := c.unknownActionError(actions[0].bundle, action, found, all)
	if bundleMisspelt {
		unknown = c.noBundleError(bundle, all, action)
	}
	if a, ok := unambiguous(action, found, bundleMisspelt || misspelt); ok {
		return a.ifEnabled(bundleMisspelt || misspelt, unknown)
	}
	return resolution{}, unknown
}

// discoveryTool returns the discovery tool that the names mean, or "" if they mean none.
func (c *Catalogue) discoveryTool(bundle, action string) string {
	for _, a := range c.kota.Actions {
		if metadata.SameName(action, a.Tool) || metadata.SameName(bundle, entrypoint.ToolsKey) && metadata.SameName(action, a.Name) {
			return a.Tool
		}
	}
	return ""
}

// resolveWithoutBundle returns the action with this name in any bundle. The parameter bundle
// is "" or a client prefix.
func (c *Catalogue) resolveWithoutBundle(bundle, action string) (resolution, error) {
	all := c.candidates()
	found, misspelt := nearest(action, all, false)
	unknown := c.unknownToolError("action", action, found)
	if bundle != "" && len(found) == 0 {
		unknown = c.noBundleError(bundle, all, action)
	}
	if a, ok := unambiguous(action, found, misspelt); ok {
		return a.ifEnabled(misspelt, unknown)
	}
	return resolution{}, unknown
}

// resolveToolAsBundle returns the action if the caller sent its whole tool name as the bundle.
func (c *Catalogue) resolveToolAsBundle(bundle, action string, all []candidate) (resolution, error) {
	found := filter(matching(bundle, all, false, metadata.SameName), func(a candidate) bool {
		return action == "" || metadata.SameName(action, a.Name) || metadata.SameName(action, a.Tool)
	})
	if a, ok := unambiguous(bundle, found, false); ok {
		return a.ifEnabled(false, nil)
	}
	return resolution{}, c.noBundleError(bundle, all, action)
}

// actionsOfBundle returns the actions of the only bundle with this name, in any spelling or with
// one typo. It also reports whether the name is misspelt. It returns nil if none or several fit.
func actionsOfBundle(name string, all []candidate) (actions []candidate, misspelt bool) {
	for _, same := range []func(a, b string) bool{metadata.SameName, metadata.OneTypo} {
		actions := filter(all, func(a candidate) bool { return same(name, a.bundle.Key) })
		unique := !slices.ContainsFunc(actions, func(a candidate) bool { return a.bundle.Key != actions[0].bundle.Key })
		if len(actions) > 0 && unique {
			return actions, misspelt
		}
		misspelt = true
	}
	return nil, true
}

// unknownActionError returns the error for a name that no action of the bundle has.
func (c *Catalogue) unknownActionError(b bundles.Bundle, action string, found, all []candidate) error {
	if !b.Enabled {
		return bundleOffError(b.Key)
	}
	known := []string{}
	for _, a := range b.Actions {
		if c.policy.Offers(a) && maySuggest(action, a.Action) {
			known = append(known, a.Name)
		}
	}
	found = filter(found, func(a candidate) bool { return slices.Contains(known, a.Name) })
	e := metadata.Errorf(metadata.ToolNotFound, "%s has no action %q", b.Key, metadata.Shorten(action))
	if others := bundlesWith(action, all); len(others) > 0 && len(found) == 0 {
		problem := metadata.Problem{Path: "bundle", Expected: "the bundle of that action", Got: b.Key}
		if len(others) == 1 {
			problem.Suggestion = others[0]
		}
		e.Problems = []metadata.Problem{problem}
		hint := "That action is in the bundle " + strings.Join(others, " or ") + "."
		if similar := sharingWord(action, known); len(similar) > 0 {
			hint += fmt.Sprintf(" %s has %s.", b.Key, strings.Join(similar, ", "))
		}
		return e.WithHint("%s", hint)
	}
	problem := metadata.UnknownName("action", "an action of "+b.Key, action, known)
	hint := actionsHint(known)
	if len(found) > 0 {
		problem.Suggestion = found[0].Name
		hint = fmt.Sprintf("Did you mean %s? %s", found[0].withAliasArgs(found[0].Name), hint)
	}
	e.Problems = []metadata.Problem{problem}
	return e.WithHint("%s", hint)
}

// sharingWord returns the known names that share a word with name.
func sharingWord(name string, known []string) []string {
	var similar []string
	for _, k := range known {
		if slices.ContainsFunc(strings.Split(name, "_"), func(word string) bool {
			return slices.ContainsFunc(strings.Split(k, "_"), func(own string) bool { return strings.EqualFold(own, strings.TrimSpace(word)) })
		}) {
			similar = append(similar, k)
		}
	}
	return similar
}

// bundleOfTool returns the key of the bundle of the tool with this name. It returns "" if there
// is no such tool, there are several, or the bundle is disabled.
func bundleOfTool(name string, all []candidate) string {
	found := matching(name, all, false, metadata.SameName)
	if len(found) != 1 || !found[0].bundle.Enabled {
		return ""
	}
	return found[0].bundle.Key
}

// bundlesWith returns the enabled bundles that have an action or tool with this name.
func bundlesWith(name string, all []candidate) []string {
	var keys []string
	for _, a := range matching(name, all, true, metadata.SameName) {
		if a.bundle.Enabled && !slices.Contains(keys, a.bundle.Key) {
			keys = append(keys, a.bundle.Key)
		}
	}
	return keys
}

func (c *Catalogue) noBundleError(name string, all []candidate, action string) error {
	known := []string{}
	for _, b := range c.installed {
		if b.Enabled {
			known = append(known, b.Key)
		}
	}
	e := metadata.Errorf(metadata.ToolNotFound, "there is no bundle %q", metadata.Shorten(name))
	problem := metadata.UnknownName("bundle", "the key of a bundle that is on", name, known)
	if key := bundleOfTool(action, all); key != "" {
		problem.Suggestion = key
	}
	e.Problems = []metadata.Problem{problem}
	return e.WithHint("%s", bundlesHint(known))
}

// bundlesHint returns the hint that lists the bundles.
func bundlesHint(keys []string) string {
	if len(keys) == 0 {
		return "No bundle can be used: none is on, or the profile shows none. `kota bundles` lists them for the user."
	}
	return "The bundles are " + strings.Join(keys, ", ") + "."
}

// actionsHint returns the hint that lists the actions of a bundle.
func actionsHint(names []string) string {
	if len(names) == 0 {
		return "The profile allows none of its actions."
	}
	return "Its actions include " + strings.Join(names, ", ") + "."
}

func bundleOffError(key string) error {
	return metadata.Errorf(metadata.ToolNotFound, "the bundle %q is off", key).
		WithHint("The user can switch it on with `kota bundles enable %s`.", key)
}
