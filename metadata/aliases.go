package metadata

import (
	"fmt"
	"strings"
)

// An Alias is a name that other mail, calendar and note servers give to what an
// action does. With says which arguments make the action do just that: "archive:
// true"; it is "" where the action does it anyhow.
type Alias struct{ Name, With string }

// Aliases are lines such as "read open: - message email (format: markdown)": every
// verb by itself, for "-", and before every noun is an alias, with the arguments in
// brackets. They are read when a name is looked for, which few processes do.
type Aliases []string

// all yields the aliases. It panics if a line has no verb or no noun.
func (lines Aliases) all(yield func(Alias) bool) {
	for _, line := range lines {
		names, with, _ := strings.Cut(line, "(")
		verbs, nouns, _ := strings.Cut(names, ":")
		if strings.TrimSpace(verbs) == "" || strings.TrimSpace(nouns) == "" {
			panic(fmt.Sprintf("the aliases %q lack a verb or a noun", line))
		}
		for verb := range strings.FieldsSeq(verbs) {
			for noun := range strings.FieldsSeq(nouns) {
				name := verb + "_" + noun
				if noun == "-" {
					name = verb
				}
				if !yield(Alias{Name: name, With: strings.TrimSuffix(strings.TrimSpace(with), ")")}) {
					return
				}
			}
		}
	}
}

// Aliased returns the alias of the action that a name of it, or of its tool, is
// another spelling of.
func (a Action) Aliased(name string) (Alias, bool) {
	bundle := a.BundleKey()
	for alias := range a.Aliases.all {
		if SameName(name, alias.Name) || SameName(name, bundle+"_"+alias.Name) {
			return alias, true
		}
	}
	return Alias{}, false
}
