package config

import (
	"fmt"
	"strings"

	"kota/entrypoint/policy"
)

// PolicyOf returns the policy of the profile with that name and of the gates.
func (c Config) PolicyOf(name string) policy.Policy {
	profile := c.Profiles[name]
	rules := policy.Policy{
		Profile: name, FromFlag: c.ProfileFlag, Instructions: profile.Instructions,
		Effects: profile.Effects, Bundles: profile.Bundles, Tags: profile.Tags, Actions: profile.Actions, Without: profile.Without,
		Send: c.Gates.Send, Destroy: c.Gates.Destroy, SendTo: c.Gates.SendTo,
		PerBundle: map[string]policy.Gates{}, ProfileGates: profile.Gates, Taint: c.Taint,
	}
	if line := profile.Lines[ByEffects]; line > 0 {
		rules.EffectsSource = fmt.Sprintf("line %d of %s", line, c.Name())
	}
	for key, bundle := range c.Bundles {
		rules.PerBundle[key] = bundle.Gates
	}
	if c.ExplainHidden {
		rules.Explain = func(limits []policy.Filter) string { return c.explain(profile, limits) }
	}
	return rules
}

// explain says how the user can remove these limits: change the lines of the
// profile in bundles.yaml. For a built-in profile, it says how to choose
// another.
func (c Config) explain(profile Profile, limits []policy.Filter) string {
	if len(profile.Lines) > 0 {
		lines := []string{}
		for _, limit := range limits {
			lines = append(lines, fmt.Sprintf("`%s` of that profile, on line %d", limit, profile.Lines[limit]))
		}
		return fmt.Sprintf("change %s of %s", strings.Join(lines, ", and "), c.Name())
	}
	if c.ProfileFlag {
		return "start KOTA with another `--profile`"
	}
	return fmt.Sprintf("choose another `profile:`, on line %d of %s", c.ProfileLine, c.Name())
}
