package discovery

import "strings"

// baseInstructions is the text that a client may show its model: two sentences on how to work
// with KOTA.
const baseInstructions = `KOTA gives you a personal assistant's hands. ` +
	`Call kota_discover_bundles with a query in plain words to find the action you need; its answer carries signatures, so call the tool_name directly, or run it with kota_entry_point {bundle, action, args} (kota_read for reads).`

// Instructions returns baseInstructions and the additions of the enabled bundles, the policy
// and the profile. Clients cut the text at 2,048 characters, so the profile's addition in
// bundles.yaml must fit.
func (c *Catalogue) Instructions() string {
	parts := []string{baseInstructions}
	for _, b := range c.installed {
		if b.Enabled && b.Instructions != "" {
			parts = append(parts, b.Instructions)
		}
	}
	if summary := c.policySummary(c.actions); summary != "" {
		parts = append(parts, summary)
	}
	if c.instructions != "" {
		parts = append(parts, c.instructions)
	}
	return strings.Join(parts, " ")
}
