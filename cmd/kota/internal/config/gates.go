package config

import (
	"fmt"
	"slices"

	"github.com/goccy/go-yaml/ast"

	"kota/entrypoint/policy"
)

// gateFields returns the keys for actions that reach other people or cannot be
// undone. gates returns the gates to set: for all bundles, for one bundle or for
// a profile.
func gateFields(gates func(*checker) *policy.Gates) []field {
	return []field{
		{"send", func(c *checker, v value) {
			gates(c).Send = c.gate(v, gates(c).Send, policy.Ask, policy.Draft, policy.Allow, policy.Refuse)
		}},
		{"destroy", func(c *checker, v value) {
			gates(c).Destroy = c.gate(v, gates(c).Destroy, policy.Ask, policy.Allow, policy.Refuse)
		}},
		{"send_to", func(c *checker, v value) { gates(c).SendTo = c.recipients(v) }},
	}
}

func (c *checker) gate(v value, fallback policy.Gate, allowed ...policy.Gate) policy.Gate {
	words := []string{}
	for _, gate := range allowed {
		words = append(words, string(gate))
	}
	return policy.Gate(c.choice(v, string(fallback), words...))
}

const recipientsAllowed = `addresses such as ann@example.com, domains such as example.com, "*.example.com" for its subdomains, and known`

// recipients reads which recipients are allowed. An empty list means nobody.
// The result is never nil.
func (c *checker) recipients(v value) policy.Recipients {
	list := policy.Recipients{}
	if text, ok := textOf(v.node); ok && (text == policy.Everybody || text == policy.Known) {
		return policy.Recipients{text}
	}
	if v.node.Type() == ast.NullType {
		return list
	}
	s, ok := v.node.(*ast.SequenceNode)
	if !ok {
		c.problem(v.line, "%s is %s; allowed: everybody, known, or a list of %s", v.path, kindOf(v.node), recipientsAllowed)
		return list
	}
	for i, n := range s.Values {
		line := lineOf(n)
		if n.Type() == ast.NullType {
			line = v.line
		}
		text, ok := textOf(n)
		if ok && text != policy.Known {
			text, ok = policy.ParseRecipient(text)
		}
		switch {
		case !ok:
			c.problem(line, "%s is %s; allowed: %s", fmt.Sprintf("%s[%d]", v.path, i), kindOf(n), recipientsAllowed)
		case slices.Contains(list, text):
			c.problem(line, "%s names %s a second time; allowed: once", v.path, text)
		default:
			list = append(list, text)
		}
	}
	return list
}
