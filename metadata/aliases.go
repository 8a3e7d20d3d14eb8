package metadata

import (
	"fmt"
	"strings"
)

// An Alias is a name that other mail, calendar and note servers use for the same action.
type Alias struct {
	Name string
	With string // the arguments with which this action does the same: "archive: true"; "" if none
}

// Aliases are lines such as "read open: - message email (format: markdown)". Each verb before
// the colon forms an alias with each noun after it, such as read_message. The noun "-" stands
// for the verb alone. The brackets contain Alias.With. KOTA parses the lines on look-up,
// because few processes look names up.
type Aliases []string

// All yields the aliases. It panics if a line has no verb or no noun.
func (lines Aliases) All(yield func(Alias) bool) {
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

// Aliased returns the alias that matches the name in any spelling, with or without the
// bundle's key.
func (a Action) Aliased(name string) (Alias, bool) {
	bundle := a.BundleKey()
	for alias := range a.Aliases.All {
		if SameName(name, alias.Name) || SameName(name, bundle+"_"+alias.Name) {
			return alias, true
		}
	}
	return Alias{}, false
}
