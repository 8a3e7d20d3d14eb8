package policy

import (
	"cmp"
	"slices"
)

// A Gate says what happens to calls that send to other people or cannot be undone.
type Gate string

const (
	Allow  Gate = "allow"  // they run
	Ask    Gate = "ask"    // the user is asked first
	Draft  Gate = "draft"  // they save a draft, which the user can send
	Refuse Gate = "refuse" // they answer REFUSED
)

// strictness orders the gates, the least strict first. An unset gate comes before all.
var strictness = []Gate{"", Allow, Ask, Draft, Refuse}

// Gates restricts calls that send to other people or cannot be undone: for all bundles,
// for one, or for a profile.
type Gates struct {
	Send    Gate       // "" if unset
	Destroy Gate       // "" if unset; never Draft
	SendTo  Recipients // nil if unset
}

// effectiveGates are the gates that apply to one bundle. They combine its own gates,
// those for all bundles and those of the profile.
type effectiveGates struct {
	Send, Destroy effectiveGate
	SendTo        []listing // a recipient must be on each of these lists
}

// An effectiveGate is a gate and the line that sets it, in words that follow "the line".
type effectiveGate struct {
	Gate
	by string
}

type listing struct {
	Recipients
	by string
}

// gates returns the gates that apply to the actions of a bundle. Its own gates replace
// those for all bundles, and a profile can only make them stricter.
func (p Policy) gates(bundle string) effectiveGates {
	const everywhere = "in bundles.yaml"
	own, here := p.PerBundle[bundle], "of the bundle "+bundle+" in bundles.yaml"
	profile := "of the profile \"" + p.Profile + "\" in bundles.yaml"
	s := effectiveGates{
		Send:    firstSaid(effectiveGate{own.Send, here}, effectiveGate{p.Send, everywhere}).narrowed(p.ProfileGates.Send, profile),
		Destroy: firstSaid(effectiveGate{own.Destroy, here}, effectiveGate{p.Destroy, everywhere}).narrowed(p.ProfileGates.Destroy, profile),
	}
	switch {
	case own.SendTo != nil:
		s.SendTo = append(s.SendTo, listing{own.SendTo, here})
	case p.SendTo != nil:
		s.SendTo = append(s.SendTo, listing{p.SendTo, everywhere})
	}
	if p.ProfileGates.SendTo != nil {
		s.SendTo = append(s.SendTo, listing{p.ProfileGates.SendTo, profile})
	}
	return s
}

// firstSaid returns the gate of the bundle, or else the gate for all, or else Ask.
func firstSaid(own, all effectiveGate) effectiveGate {
	if own.Gate != "" {
		return own
	}
	return effectiveGate{cmp.Or(all.Gate, Ask), all.by}
}

// narrowed returns the stricter of two gates.
func (r effectiveGate) narrowed(to Gate, by string) effectiveGate {
	if slices.Index(strictness, to) > slices.Index(strictness, r.Gate) {
		return effectiveGate{to, by}
	}
	return r
}

// unlisted returns the people who are not on one of the lists, and the line of that list.
func (s effectiveGates) unlisted(people []string) (out []string, by string) {
	for _, person := range people {
		for _, list := range s.SendTo {
			if !list.Admit(person) {
				out, by = append(out, person), list.by
				break
			}
		}
	}
	return out, by
}

// asksUnknown reports whether the user is asked about unknown people. It returns the
// people who must be known for the call to pass without a question.
func (s effectiveGates) asksUnknown(people []string) (open []string, asks bool) {
	for _, list := range s.SendTo {
		if !list.asks() {
			continue
		}
		asks = true
		for _, person := range people {
			if !list.names(person) && !slices.Contains(open, person) {
				open = append(open, person)
			}
		}
	}
	return open, asks
}
