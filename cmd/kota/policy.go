package main

import (
	"fmt"
	"strings"

	"kota/cmd/kota/internal/config"
	"kota/entrypoint"
)

// policy is what the chosen profile and the gates allow.
func (a *app) policy() entrypoint.Policy { return a.policyOf(a.config.Profile) }

func (a *app) policyOf(name string) entrypoint.Policy {
	profile := a.config.Profiles[name]
	policy := entrypoint.Policy{
		Profile: name, Flag: a.flags.Profile != "", Instructions: profile.Instructions,
		Effects: profile.Effects, Bundles: profile.Bundles, Tags: profile.Tags, Actions: profile.Actions, Without: profile.Without,
		Send: a.config.Gates.Send, Destroy: a.config.Gates.Destroy, SendTo: a.config.Gates.SendTo,
		Of: map[string]entrypoint.Gates{}, Within: profile.Gates, Taint: a.config.Taint,
	}
	if line := profile.Lines[config.ByEffects]; line > 0 {
		policy.Says = fmt.Sprintf("line %d of %s", line, a.config.Name())
	}
	for key, bundle := range a.config.Bundles {
		policy.Of[key] = bundle.Gates
	}
	if a.config.ExplainHidden {
		policy.Explain = func(limits []entrypoint.Limit) string { return a.show(profile, limits) }
	}
	return policy
}

// show says where the user lifts limits of the profile: their own lines, or for
// a built-in profile what chose it.
func (a *app) show(profile config.Profile, limits []entrypoint.Limit) string {
	if len(profile.Lines) > 0 {
		lines := []string{}
		for _, limit := range limits {
			lines = append(lines, fmt.Sprintf("`%s` of that profile, on line %d", limit, profile.Lines[limit]))
		}
		return fmt.Sprintf("change %s of %s", strings.Join(lines, ", and "), a.config.Name())
	}
	if a.flags.Profile != "" {
		return "start KOTA with another `--profile`"
	}
	return fmt.Sprintf("choose another `profile:`, on line %d of %s", a.config.ProfileLine, a.config.Name())
}
