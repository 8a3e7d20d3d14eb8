package policy

import (
	"cmp"
	"slices"
)

// A Gate says what happens to calls that reach other people or cannot be
// undone.
type Gate string

const (
	Allow  Gate = "allow"  // they run
	Ask    Gate = "ask"    // the user is asked first
	Draft  Gate = "draft"  // what would be sent is saved as a draft, which the user can send
	Refuse Gate = "refuse" // they answer REFUSED
)

// strictness orders the gates, the mildest first. What is not said is no
// stricter than anything.
var strictness = []Gate{"", Allow, Ask, Draft, Refuse}

// Gates are what is said of calls that reach other people or cannot be undone,
// of all bundles, of one, or by a profile.
type Gates struct {
	Send    Gate       // "" says nothing
	Destroy Gate       // "" says nothing; never Draft
	SendTo  Recipients // nil says nothing
}

// effectiveGates are what holds for one bundle: its own, those of all, and those of
// the profile.
type effectiveGates struct {
	Send, Destroy effectiveGate
	SendTo        []listing // each of which must admit whoever is reached
}

// An effectiveGate is a gate and which line says so, in words that go on from "the line".
type effectiveGate struct {
	Gate
	by string
}

type listing struct {
	Recipients
	by string
}

// gates returns what holds for the actions of a bundle: its own gates come before
// those of all, and a profile can only narrow them.
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

// firstSaid is the gate of the bundle, else that of all, else Ask.
func firstSaid(own, all effectiveGate) effectiveGate {
	if own.Gate != "" {
		return own
	}
	return effectiveGate{cmp.Or(all.Gate, Ask), all.by}
}

// narrowed is the stricter of two.
func (r effectiveGate) narrowed(to Gate, by string) effectiveGate {
	if slices.Index(strictness, to) > slices.Index(strictness, r.Gate) {
		return effectiveGate{to, by}
	}
	return r
}

// unlisted returns those of these people whom a list does not admit, and whose
// list that is.
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

// asksUnknown reports whether people who are not known are asked about, and returns
// those of these who have to be known for nobody to be asked.
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
