package metadata

import (
	_ "embed"
	"slices"
	"strings"
)

// beyond are topics that people turn to an assistant with: on each line its
// names, any of which may be the tag of who deals with it, and how they are asked
// for. The last ones are KOTA's own, for profiles that show only some of it: what
// is not there is no reason to offer what is a little like it.
//
//go:embed beyond.txt
var beyond string

// Beyond returns topics that people turn to an assistant with and that none of
// the actions is about, as entries without a tool: see NewIndex. A topic that a
// tag of an action or a bundle names is theirs, and left out.
func Beyond(entries []Entry) []Entry {
	theirs := map[string]bool{}
	for _, e := range entries {
		for _, word := range append([]string{e.Bundle}, e.Tags...) {
			theirs[word] = true
		}
	}
	var topics []Entry
	for line := range strings.Lines(beyond) {
		name, asked, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if !slices.ContainsFunc(strings.Split(name, "/"), func(tag string) bool { return theirs[tag] }) {
			topics = append(topics, Entry{Phrases: strings.Split(asked, " | ")})
		}
	}
	return topics
}
