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
	SendTo        []recipientList // a recipient must be on each of these lists
}

// An effectiveGate is a gate and the line that sets it, in words that follow "the line".
type effectiveGate struct {
	Gate
	source string
}

type recipientList struct {
	Recipients
	source string
}

// gates returns the gates that apply to the actions of a bundle. Its own gates replace
// those for all bundles, and a profile can only make them stricter.
func (p Policy) gates(bundle string) effectiveGates {
	const generalLine = "in bundles.yaml"
	own, ownLine := p.PerBundle[bundle], "of the bundle "+bundle+" in bundles.yaml"
	profileLine := "of the profile \"" + p.Profile + "\" in bundles.yaml"
	s := effectiveGates{
		Send:    ownOrDefault(effectiveGate{own.Send, ownLine}, effectiveGate{p.Send, generalLine}).stricter(p.ProfileGates.Send, profileLine),
		Destroy: ownOrDefault(effectiveGate{own.Destroy, ownLine}, effectiveGate{p.Destroy, generalLine}).stricter(p.ProfileGates.Destroy, profileLine),
	}
	switch {
	case own.SendTo != nil:
		s.SendTo = append(s.SendTo, recipientList{own.SendTo, ownLine})
	case p.SendTo != nil:
		s.SendTo = append(s.SendTo, recipientList{p.SendTo, generalLine})
	}
	if p.ProfileGates.SendTo != nil {
		s.SendTo = append(s.SendTo, recipientList{p.ProfileGates.SendTo, profileLine})
	}
	return s
}

// ownOrDefault returns the gate of the bundle, or else the gate for all, or else Ask.
func ownOrDefault(own, all effectiveGate) effectiveGate {
	if own.Gate != "" {
		return own
	}
	return effectiveGate{cmp.Or(all.Gate, Ask), all.source}
}

// stricter returns the stricter of two gates.
func (r effectiveGate) stricter(other Gate, source string) effectiveGate {
	if slices.Index(strictness, other) > slices.Index(strictness, r.Gate) {
		return effectiveGate{other, source}
	}
	return r
}

// unlisted returns the people who are not on one of the lists, and the line of that list.
func (s effectiveGates) unlisted(people []string) (out []string, source string) {
	for _, person := range people {
		for _, list := range s.SendTo {
			if !list.Admit(person) {
				out, source = append(out, person), list.source
				break
			}
		}
	}
	return out, source
}

// mustBeKnown reports whether the user is asked about unknown people. It returns the
// people who must be known for the call to pass without a question.
func (s effectiveGates) mustBeKnown(people []string) (toCheck []string, asks bool) {
	for _, list := range s.SendTo {
		if !list.asksUnlisted() {
			continue
		}
		asks = true
		for _, person := range people {
			if !list.contains(person) && !slices.Contains(toCheck, person) {
				toCheck = append(toCheck, person)
			}
		}
	}
	return toCheck, asks
}
