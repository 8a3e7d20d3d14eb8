package discovery

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"kota/metadata"
)

// normalizeNames replaces inexact names in the request by the exact names. It returns the
// new request and notes on the changes. A tool's name in place of a bundle key means the
// tool's bundle, and its action if no actions are requested. Unknown names stay unchanged,
// and so do exact tool names in Actions.
func (c *Catalogue) normalizeNames(in describeIn) (describeIn, []string) {
	key, action, notes := c.resolveBundle(in.Bundle)
	in.Bundle, in.Actions = key, slices.Clone(in.Actions)
	if action != "" && len(in.Actions) == 0 {
		in.Actions, notes = []string{action}, append(notes, "actions read as "+action)
	}
	for i, name := range in.Actions {
		for _, a := range slices.Concat(c.actions, c.withheld) {
			if a.bundle.Key == key && name != a.Name && name != a.Tool && hasName(*a.Action, name) {
				in.Actions[i], notes = a.Name, append(notes, "another spelling read as "+a.Name)
				break
			}
		}
	}
	return in, notes
}

// resolveBundle is splitName with a note if name stands for a bundle but is not its exact key.
func (c *Catalogue) resolveBundle(name string) (key, action string, notes []string) {
	if name == "" {
		return "", "", nil
	}
	key, action = c.splitName(name)
	if _, known := c.bundle(key); known && key != name {
		notes = append(notes, "bundle read as "+key)
	}
	return key, action, notes
}

// splitName returns the bundle key and the action that name stands for. The name may be a
// bundle's key, for which the action is "", or a tool's name, in any spelling. For any other
// name, the key is that name, trimmed.
func (c *Catalogue) splitName(name string) (key, action string) {
	for _, key := range c.keys() {
		if metadata.SameName(key, name) {
			return key, ""
		}
	}
	for _, reading := range spellings(name) {
		for _, a := range slices.Concat(c.actions, c.withheld) {
			if metadata.SameName(reading.name, a.Tool) {
				return a.bundle.Key, a.Name
			}
		}
	}
	return strings.TrimSpace(name), ""
}

// impliedBundle returns the key of the bundle of the first tool in the argument actions. It
// returns "" if the arguments have a bundle or name no tool.
func (c *Catalogue) impliedBundle(args json.RawMessage) string {
	given, _ := metadata.Members(args)
	if given["bundle"] != nil {
		return ""
	}
	var name string
	names := []string{}
	if json.Unmarshal(given["actions"], &name) == nil {
		names = strings.Split(name, ",")
	} else if json.Unmarshal(given["actions"], &names) != nil {
		return ""
	}
	for _, name := range names {
		if key, action := c.splitName(name); action != "" {
			return key
		}
	}
	return ""
}

// selectActions returns the named actions of the bundle in the requested order, and the
// missing names with the reasons. A name may be the action's or the tool's, in any spelling.
// If it finds no action, it returns an error. The error says what disables or hides one of the
// actions, or else is NotFound with the names that it may suggest.
func (c *Catalogue) selectActions(about metadata.Bundle, names []string) ([]metadata.Action, []MissingAction, error) {
	chosen := []metadata.Action{}
	var missing []MissingAction
	for _, name := range names {
		i := slices.IndexFunc(about.Actions, func(a metadata.Action) bool { return hasName(a, name) })
		if i < 0 {
			missing = append(missing, MissingAction{Name: metadata.Shorten(name), Reason: c.missingReason(about, name)})
			continue
		}
		if !slices.ContainsFunc(chosen, func(a metadata.Action) bool { return a.Tool == about.Actions[i].Tool }) {
			chosen = append(chosen, about.Actions[i])
		}
	}
	if len(chosen) > 0 {
		return chosen, missing, nil
	}
	if err := c.disabledError(about, names); err != nil {
		return nil, nil, err
	}
	return nil, nil, c.noActionError(about, names)
}

// hasName reports whether the name is the action's or its tool's, in any spelling.
func hasName(a metadata.Action, name string) bool {
	return slices.ContainsFunc(spellings(name), func(r spelling) bool {
		return metadata.SameName(r.name, a.Tool) || metadata.SameName(r.name, a.Name)
	})
}

// missingReason returns why the bundle does not show an action with this name.
func (c *Catalogue) missingReason(about metadata.Bundle, name string) string {
	if err := c.disabledError(about, []string{name}); err != nil {
		return messageAndHint(err)
	}
	if key, action := c.splitName(name); action != "" {
		return "it is an action of " + key
	}
	reason := "there is no such action"
	if near := metadata.UnknownName("", "", name, suggestable(about, name)).Suggestion; near != "" {
		reason += "; the nearest is " + near
	}
	return reason
}

// suggestable returns the names of the bundle's actions that may be suggested for a name.
func suggestable(about metadata.Bundle, name string) []string {
	names := []string{}
	for _, a := range about.Actions {
		if maySuggest(name, a) {
			names = append(names, a.Name)
		}
	}
	return names
}

// disabledError returns the error for the first disabled or hidden action among the names, or
// nil. The error says how the user can enable the action.
func (c *Catalogue) disabledError(about metadata.Bundle, names []string) error {
	for _, name := range names {
		for _, a := range c.withheld {
			if a.bundle.Key == about.Key && hasName(*a.Action, name) {
				return c.policy.WithheldError(*a.Action)
			}
		}
		matches := func(h hiddenAction) bool { return h.bundle.Key == about.Key && hasName(*h.Action, name) }
		if err := c.hiddenError(metadata.NotFound, about.Key+" "+name, matches); err != nil {
			return err
		}
	}
	return nil
}

// noActionError returns NotFound for names that are no actions of the bundle.
func (c *Catalogue) noActionError(about metadata.Bundle, names []string) error {
	known := suggestable(about, strings.Join(names, " "))
	var problems []metadata.Problem
	elsewhere := ""
	for _, name := range names {
		problems = append(problems, metadata.UnknownName("actions", "an action of "+about.Key, name, known))
		if key, action := c.splitName(name); action != "" {
			elsewhere += fmt.Sprintf("%s is an action of %s. ", metadata.Shorten(name), key)
		}
	}
	e := metadata.Errorf(metadata.NotFound, "%s has no action %s", about.Key, quoteNames(problems))
	e.Problems = problems
	return e.WithHint("%s%s", elsewhere, actionsHint(known))
}
