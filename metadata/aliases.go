package metadata

import (
	"fmt"
	"strings"
)

// An Alias is a name that other mail, calendar and note servers give to what an
// action does. With says which arguments make the action do just that: "archive:
// true"; it is "" where the action does it anyhow.
type Alias struct{ Name, With string }

// Aliases returns the names that the lines describe. A line "read open: -
// message email (format: markdown)" has every verb by itself, for "-", and before
// every noun, with the arguments in brackets. It panics if a line has no verb or
// no noun.
func Aliases(lines ...string) []Alias {
	var all []Alias
	for _, line := range lines {
		names, with, _ := strings.Cut(line, "(")
		verbs, nouns, _ := strings.Cut(names, ":")
		if strings.TrimSpace(verbs) == "" || strings.TrimSpace(nouns) == "" {
			panic(fmt.Sprintf("the aliases %q lack a verb or a noun", line))
		}
		for _, verb := range strings.Fields(verbs) {
			for _, noun := range strings.Fields(nouns) {
				name := verb + "_" + noun
				if noun == "-" {
					name = verb
				}
				all = append(all, Alias{Name: name, With: strings.TrimSuffix(strings.TrimSpace(with), ")")})
			}
		}
	}
	return all
}

// Aliased returns the alias of the action that a name of it, or of its tool, is
// another spelling of.
func (a Action) Aliased(name string) (Alias, bool) {
	bundle := a.BundleKey()
	for _, alias := range a.Aliases {
		if SameName(name, alias.Name) || SameName(name, bundle+"_"+alias.Name) {
			return alias, true
		}
	}
	return Alias{}, false
}
