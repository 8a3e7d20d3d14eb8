package policy

import (
	"fmt"
	"slices"
	"strings"

	"kota/bundles"
	"kota/metadata"
)

// Allowance says which effects calls may have, and which calls wait for the user.
func (p Policy) Allowance(installed []bundles.Bundle) string {
	var may []string
	for _, effect := range metadata.Effects {
		if p.permits(effect) {
			may = append(may, string(effect))
		}
	}
	said := "This setup runs what " + strings.Join(may, ", ") + "."
	if len(may) < len(metadata.Effects) {
		said += fmt.Sprintf(" The profile %q allows no more.", p.Profile)
	}
	return said + p.waiting(metadata.Sends, installed) + p.waiting(metadata.Destroys, installed)
}

// waiting says what happens to calls with that effect that do not run at once. It names
// the bundles that have such calls.
func (p Policy) waiting(effect metadata.Effect, installed []bundles.Bundle) string {
	if !p.permits(effect) {
		return ""
	}
	under := map[Gate][]string{}
	for _, b := range installed {
		gate := p.gates(b.Key).Send.Gate
		if effect == metadata.Destroys {
			gate = p.gates(b.Key).Destroy.Gate
		}
		if b.Enabled && slices.ContainsFunc(b.Actions, func(a bundles.Action) bool { return a.Effect == effect && p.Offers(a) }) {
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
