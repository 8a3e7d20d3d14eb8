package app

import (
	"fmt"
	"strings"

	"kota/cmd/kota/internal/config"
	"kota/entrypoint/policy"
)

// Policy is what the chosen profile and the gates allow.
func (a *App) Policy() policy.Policy { return a.PolicyOf(a.Config.Profile) }

// PolicyOf is what a profile of that name and the gates allow.
func (a *App) PolicyOf(name string) policy.Policy {
	profile := a.Config.Profiles[name]
	rules := policy.Policy{
		Profile: name, Flag: a.Flags.Profile != "", Instructions: profile.Instructions,
		Effects: profile.Effects, Bundles: profile.Bundles, Tags: profile.Tags, Actions: profile.Actions, Without: profile.Without,
		Send: a.Config.Gates.Send, Destroy: a.Config.Gates.Destroy, SendTo: a.Config.Gates.SendTo,
		PerBundle: map[string]policy.Gates{}, ProfileGates: profile.Gates, Taint: a.Config.Taint,
	}
	if line := profile.Lines[config.ByEffects]; line > 0 {
		rules.EffectsSource = fmt.Sprintf("line %d of %s", line, a.Config.Name())
	}
	for key, bundle := range a.Config.Bundles {
		rules.PerBundle[key] = bundle.Gates
	}
	if a.Config.ExplainHidden {
		rules.Explain = func(limits []policy.Limit) string { return a.show(profile, limits) }
	}
	return rules
}

// show says where the user lifts limits of the profile: their own lines, or for
// a built-in profile what chose it.
func (a *App) show(profile config.Profile, limits []policy.Limit) string {
	if len(profile.Lines) > 0 {
		lines := []string{}
		for _, limit := range limits {
			lines = append(lines, fmt.Sprintf("`%s` of that profile, on line %d", limit, profile.Lines[limit]))
		}
		return fmt.Sprintf("change %s of %s", strings.Join(lines, ", and "), a.Config.Name())
	}
	if a.Flags.Profile != "" {
		return "start KOTA with another `--profile`"
	}
	return fmt.Sprintf("choose another `profile:`, on line %d of %s", a.Config.ProfileLine, a.Config.Name())
}
