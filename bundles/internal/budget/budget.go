// Package budget says how much an answer may hold, and divides it: what is too
// long for a client is cut by it, or ends the conversation.
package budget

import (
	"slices"
	"unicode/utf8"

	"kota/metadata"
)

// Usual is how many characters an answer has, unless its caller says otherwise.
// Claude Code takes 25,000 tokens of a tool; JSON has 1.7 characters to each at
// worst, so that this leaves a margin.
const Usual = 25_000

// Taken is how many characters a value takes in an answer, as JSON: 0 for one
// that has no form there, since it is in none.
func Taken(v any) int {
	raw, err := metadata.Plain(v)
	if err != nil {
		return 0
	}
	return utf8.RuneCount(raw)
}

// Portions divides space among needs, in the same order: nobody gets more than
// it needs, and who gets less gets as much as the others who do. Everybody gets
// the least, or what it needs of that, even where there is no space left.
func Portions(needs []int, space, least int) []int {
	order := make([]int, len(needs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return needs[a] - needs[b] })
	given := make([]int, len(needs))
	for done, i := range order {
		fair := max(space/(len(order)-done), least)
		given[i] = min(needs[i], fair)
		space -= given[i]
	}
	return given
}
