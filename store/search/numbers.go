package search

import (
	"slices"
	"strings"
)

// The limits of splitting a number, in digits.
const (
	minWholeNumber = 6  // shorter numbers are years, times and amounts
	maxWholeNumber = 20 // a longer number is no telephone number
	minGroup       = 2
	maxGroup       = 6
)

// numberGroups returns the groups of digits that a number may consist of. The index may have the
// telephone number 5550199 as "555 0199".
func numberGroups(word string) []string {
	if len(word) < minWholeNumber || len(word) > maxWholeNumber || strings.Trim(word, "0123456789") != "" {
		return nil
	}
	groups := []string{}
	for from := range word {
		for to := from + minGroup; to <= min(from+maxGroup, len(word)); to++ {
			groups = append(groups, word[from:to])
		}
	}
	return groups
}

// splitNumbers returns the terms, with each number that the index does not have as the groups of
// digits that it does have.
func splitNumbers(terms []queryTerm, byStem map[string][]Term) []queryTerm {
	found := []queryTerm{}
	for _, w := range terms {
		groups := []queryTerm{}
		if len(w.terms) == 0 && len(numberGroups(w.word)) > 0 {
			groups = groupsOf(w.word, byStem)
		}
		if len(groups) == 0 {
			groups = []queryTerm{w}
		}
		found = append(found, groups...)
	}
	return found
}

// groupsOf returns the fewest known groups that make up a number, or none.
func groupsOf(number string, byStem map[string][]Term) []queryTerm {
	best := make([][]queryTerm, len(number)+1) // by length of the start of the number
	best[0] = []queryTerm{}
	for to := minGroup; to <= len(number); to++ {
		for from := max(0, to-maxGroup); from <= to-minGroup; from++ {
			group := queryTerm{word: number[from:to]}
			group.terms = sameWord(group, byStem)
			if best[from] != nil && len(group.terms) > 0 && (best[to] == nil || len(best[from]) < len(best[to])-1) {
				best[to] = append(slices.Clone(best[from]), group)
			}
		}
	}
	return best[len(number)]
}
