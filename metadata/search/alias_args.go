package search

import (
	"slices"
	"strings"

	"kota/metadata"
	"kota/metadata/words"
)

// AliasArgs returns the arguments that the query's words stand for: metadata.Alias.With of each
// alias of the action whose words, or synonyms of them, the query has. "Put this thread in the
// trash" stands for "trash: true", and "take it out of the trash" for "trash: false". An alias
// does not count if a longer one has all its words: in "remove the label", neither "remove" nor
// "label" counts. Words that the query negates do not count.
func AliasArgs(query string, a metadata.Action) []string {
	stems, _ := splitByNegation(query)
	left := leftStems(query)
	var found []aliasMatch
	for alias := range a.Aliases.All {
		if m := matchAlias(alias, stems); alias.With != "" && m.matched != nil {
			found = append(found, m)
		}
	}
	var list []string
	for _, m := range found {
		if slices.ContainsFunc(found, m.isWeakerThan) {
			continue
		}
		with := m.With
		if name, isTrue := strings.CutSuffix(with, ": true"); isTrue && !slices.ContainsFunc(m.matched, func(s string) bool { return !slices.Contains(left, s) }) {
			with = name + ": false"
		}
		if !slices.Contains(list, with) {
			list = append(list, with)
		}
	}
	return list
}

// An aliasMatch is an alias with the stems of the query that its words match.
type aliasMatch struct {
	metadata.Alias
	matched []string // nil if one of its words matches none
}

func matchAlias(alias metadata.Alias, stems []string) aliasMatch {
	m := aliasMatch{Alias: alias}
	for _, word := range words.SplitName(alias.Name) {
		i := slices.IndexFunc(stems, func(s string) bool { return hasSynonym([]string{s}, stemsOf(word)) })
		if i < 0 {
			return aliasMatch{}
		}
		m.matched = append(m.matched, stems[i])
	}
	return m
}

// isWeakerThan reports whether the other match has all words of the query that m has, and more, or
// does the same with fewer words.
func (m aliasMatch) isWeakerThan(other aliasMatch) bool {
	if m.With == other.With {
		return len(other.matched) < len(m.matched)
	}
	return len(other.matched) > len(m.matched) && !slices.ContainsFunc(m.matched, func(s string) bool { return !slices.Contains(other.matched, s) })
}

// leaving words come before the place that a thing leaves, perhaps with an article between them.
var (
	leavingWords         = wordSet(`from of aus uit du dal dalla della`)
	leavingBeforeArticle = wordSet(`from of aus uit de`)
)

// leftStems returns the stems of the words that follow a leaving word: "out of the trash".
func leftStems(query string) []string {
	var list []string
	tokens := words.Split(boundQuery(query), maxQueryWords)
	for i, t := range tokens {
		if i > 0 && leavingWords[tokens[i-1].Text] || i > 1 && leavingBeforeArticle[tokens[i-2].Text] {
			list = append(list, tokenStems(t)...)
		}
	}
	return list
}
