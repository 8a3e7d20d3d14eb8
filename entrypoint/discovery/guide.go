package discovery

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kota/bundles"
	"kota/metadata"
)

// guide returns the prompt that tells a model how to work with this setup of KOTA.
func (c *Catalogue) guide() bundles.Prompt {
	return bundles.Prompt{
		Name: "kota_guide", Title: "How to use KOTA", Description: "How to find, look up and call the actions of KOTA, and what this setup allows.",
		Text: func(context.Context, map[string]string) (string, error) { return c.guideText(), nil },
	}
}

// guideText returns the text of the guide. It names nothing that the policy hides.
func (c *Catalogue) guideText() string {
	lines := []string{
		"Work with KOTA like this:",
		"1. Find: kota_discover_bundles {query} with what you want to do, in plain words. The signatures in its answer are enough for most calls.",
		`2. If they are not enough, look up the action: kota_describe_bundle {bundle, actions, detail: "spec"}.`,
		"3. Call the tool_name directly, listed or not. If your client cannot call it: kota_read {bundle, action, args} for what only reads, kota_entry_point for everything.",
		"4. An error says in hint what to do next, and in problems what to change.",
		"",
		c.policy.EffectsSummary(c.installed),
	}
	if staged := c.stagedTools(); len(staged) > 0 {
		lines = append(lines, "In steps, or in one call: "+strings.Join(staged, ", ")+". Each answer names the next step in next; pass its handle again.")
	}
	lines = append(lines, "", "Bundles that are on:")
	for _, b := range c.EnabledBundles() {
		line := fmt.Sprintf("- %s (%s): %s.", b.Key, metadata.CountOf(len(b.Actions), "action"), strings.TrimSuffix(b.Description, "."))
		if b.Unavailable != "" {
			line += " Unavailable: " + b.Unavailable
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// stagedTools returns the tools that can be called in steps.
func (c *Catalogue) stagedTools() []string {
	var tools []string
	for _, b := range c.installed {
		for _, a := range b.Actions {
			if b.Enabled && a.Staged != nil && c.policy.Offers(a) {
				tools = append(tools, a.Tool)
			}
		}
	}
	slices.Sort(tools)
	return tools
}
