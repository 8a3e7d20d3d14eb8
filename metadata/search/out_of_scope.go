package search

import (
	_ "embed"
	"slices"
	"strings"
)

// topicLines holds what people turn to an assistant with. Each line has the
// topic's names, any of which may be a tag, and how people ask for it. The last
// topics are KOTA's own, for profiles that show only a part of it.
//
//go:embed out_of_scope.txt
var topicLines string

// OutOfScope returns the topics that none of the actions is about, as entries
// without a tool: see NewIndex. It leaves out a topic that a bundle's name or an
// action's tag names.
func OutOfScope(entries []Entry) []Entry {
	theirs := map[string]bool{}
	for _, e := range entries {
		for _, word := range append([]string{e.Bundle}, e.Tags...) {
			theirs[word] = true
		}
	}
	var topics []Entry
	for line := range strings.Lines(topicLines) {
		name, asked, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if !slices.ContainsFunc(strings.Split(name, "/"), func(tag string) bool { return theirs[tag] }) {
			topics = append(topics, Entry{Phrases: strings.Split(asked, " | ")})
		}
	}
	return topics
}
