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

// Gates restricts calls that send to other people or cannot be undone. There are Gates for
// all bundles, for one bundle, and for a profile.
type Gates struct {
	Send    Gate       // "" if unset
	Destroy Gate       // "" if unset; never Draft
	SendTo  Recipients // nil if unset
}

// effectiveGates are the gates that apply to one bundle. They combine the gates of the
// bundle, of all bundles and of the profile.
type effectiveGates struct {
	Send, Destroy effectiveGate
	SendTo        []recipientList // a recipient must be on each of these lists
}

// An effectiveGate is a gate with its source.
type effectiveGate struct {
	Gate
	source string // the line that sets the gate, in words that follow "the line": "in bundles.yaml"
}

type recipientList struct {
	Recipients
	source string // as in effectiveGate
}

// gates returns the gates that apply to the actions of a bundle. The bundle's own gates
// replace the gates for all bundles. A profile can only make the result stricter.
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

// ownOrDefault returns the gate of the bundle, or else the general gate, or else Ask.
func ownOrDefault(own, general effectiveGate) effectiveGate {
	if own.Gate != "" {
		return own
	}
	return effectiveGate{cmp.Or(general.Gate, Ask), general.source}
}

// stricter returns the stricter of two gates.
func (r effectiveGate) stricter(other Gate, source string) effectiveGate {
	if slices.Index(strictness, other) > slices.Index(strictness, r.Gate) {
		return effectiveGate{other, source}
	}
	return r
}

// unlisted returns the people that one of the lists does not admit, and the source of such
// a list.
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

// mustBeKnown returns the people who must be known for the call to pass without a question.
// It also reports whether one of the lists contains Known.
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
