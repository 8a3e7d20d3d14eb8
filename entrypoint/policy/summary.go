package policy

import (
	"fmt"
	"slices"
	"strings"

	"kota/bundles"
	"kota/metadata"
)

// EffectsSummary says which effects calls may have, and which calls wait for the user.
func (p Policy) EffectsSummary(installed []bundles.Bundle) string {
	var allowed []string
	for _, effect := range metadata.Effects {
		if p.permits(effect) {
			allowed = append(allowed, string(effect))
		}
	}
	text := "This setup runs actions with these effects: " + strings.Join(allowed, ", ") + "."
	if len(allowed) < len(metadata.Effects) {
		text += fmt.Sprintf(" The profile %q allows nothing else.", p.Profile)
	}
	return text + p.gateSummary(metadata.Sends, installed) + p.gateSummary(metadata.Destroys, installed)
}

// gateSummary says what happens to calls with this effect that do not run at once. It names
// the bundles that have such calls. It returns "" if all such calls run or none may.
func (p Policy) gateSummary(effect metadata.Effect, installed []bundles.Bundle) string {
	if !p.permits(effect) {
		return ""
	}
	byGate := map[Gate][]string{}
	for _, b := range installed {
		gate := p.gates(b.Key).Send.Gate
		if effect == metadata.Destroys {
			gate = p.gates(b.Key).Destroy.Gate
		}
		if b.Enabled && slices.ContainsFunc(b.Actions, func(a bundles.Action) bool { return a.Effect == effect && p.Offers(a) }) {
			byGate[gate] = append(byGate[gate], b.Key)
		}
	}
	what, text := map[metadata.Effect]string{metadata.Sends: "would be sent", metadata.Destroys: "cannot be undone"}[effect], ""
	for _, g := range []struct {
		gate   Gate
		result string
	}{{Ask, "waits for the user's approval"}, {Draft, "is saved as a draft, which the user sends"}, {Refuse, "is refused"}} {
		if keys := byGate[g.gate]; len(keys) > 0 {
			text += fmt.Sprintf(" What %s (%s) %s.", what, strings.Join(keys, ", "), g.result)
		}
	}
	return text
}
