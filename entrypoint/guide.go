package entrypoint

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kota/bundles"
	"kota/metadata"
)

// guide is the prompt that tells a model how to work with KOTA as it is set up.
func (r *Router) guide() bundles.Prompt {
	return bundles.Prompt{
		Name: "kota_guide", Title: "How to use KOTA", Description: "How to find, read up on and call what KOTA can do, and what this setup allows.",
		Text: func(context.Context, map[string]string) (string, error) { return r.howTo(), nil },
	}
}

// howTo is the text of the guide. It names nothing that the policy hides.
func (r *Router) howTo() string {
	lines := []string{
		"Work with KOTA like this:",
		"1. Find: kota_discover_bundles {query} with what you want to do, in plain words. The signatures in its answer are enough for most calls.",
		`2. Read up only where they are not: kota_describe_bundle {bundle, actions, detail: "spec"}.`,
		"3. Call the tool_name directly, listed or not. Where your client does not let you: kota_read {bundle, action, args} for what only reads, kota_entry_point for everything.",
		"4. An error says in hint what to do next, and in problems what to change.",
		"",
		r.allowance(),
	}
	if staged := r.staged(); len(staged) > 0 {
		lines = append(lines, "By steps or at once: "+strings.Join(staged, ", ")+". Each answer names the next step in next; repeat its handle.")
	}
	lines = append(lines, "", "Bundles that are on:")
	for _, b := range r.Catalogue() {
		line := fmt.Sprintf("- %s (%s): %s.", b.Key, metadata.Counted(len(b.Actions), "action"), strings.TrimSuffix(b.Description, "."))
		if b.Unavailable != "" {
			line += " Unavailable: " + b.Unavailable
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// allowance says which effects calls may have, and which of them wait for the
// user.
func (r *Router) allowance() string {
	var may []string
	for _, effect := range metadata.Effects {
		if r.policy.permits(effect) {
			may = append(may, string(effect))
		}
	}
	said := "This setup runs what " + strings.Join(may, ", ") + "."
	if len(may) < len(metadata.Effects) {
		said += fmt.Sprintf(" The profile %q allows no more.", r.policy.Profile)
	}
	return said + r.waiting(metadata.Sends) + r.waiting(metadata.Destroys)
}

// waiting says what becomes of calls with that effect which do not just run, by
// bundles that have any.
func (r *Router) waiting(effect metadata.Effect) string {
	if !r.policy.permits(effect) {
		return ""
	}
	under := map[Gate][]string{}
	for _, b := range r.installed {
		gate := r.policy.gates(b.Key).Send.Gate
		if effect == metadata.Destroys {
			gate = r.policy.gates(b.Key).Destroy.Gate
		}
		if b.Enabled && slices.ContainsFunc(b.Actions, func(a bundles.Action) bool { return a.Effect == effect && r.policy.offers(a) }) {
			under[gate] = append(under[gate], b.Key)
		}
	}
	what, said := map[metadata.Effect]string{metadata.Sends: "would be sent", metadata.Destroys: "cannot be undone"}[effect], ""
	for _, one := range []struct {
		gate Gate
		then string
	}{{Ask, "waits until the user agrees"}, {Draft, "is saved as a draft, which the user sends"}, {Refuse, "is refused"}} {
		if in := under[one.gate]; len(in) > 0 {
			said += fmt.Sprintf(" What %s (%s) %s.", what, strings.Join(in, ", "), one.then)
		}
	}
	return said
}

// staged are the tools that can be taken in steps.
func (r *Router) staged() []string {
	var tools []string
	for _, b := range r.installed {
		for _, a := range b.Actions {
			if b.Enabled && a.Flow != nil && r.policy.offers(a) {
				tools = append(tools, a.Tool)
			}
		}
	}
	slices.Sort(tools)
	return tools
}
