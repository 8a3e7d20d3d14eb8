// Package budget says how much an answer may hold, and divides that. A client
// truncates an answer that is too long, or ends the conversation.
package budget

import (
	"slices"
	"unicode/utf8"

	"kota/metadata"
)

// DefaultSize is how many characters an answer has, unless its caller asks for
// another size. Claude Code accepts 25,000 tokens from a tool. JSON has at
// least 1.7 characters per token, so that this leaves a margin.
const DefaultSize = 25_000

// Size returns how many characters a value takes in an answer, as JSON. It
// returns 0 for a value without a form in JSON, because it is in no answer.
func Size(v any) int {
	raw, err := metadata.Plain(v)
	if err != nil {
		return 0
	}
	return utf8.RuneCount(raw)
}

// Divide divides space among needs, in the same order. Nobody gets more than
// they need, and all who get less than they need get the same. Everybody gets
// at least least, or all they need, even if there is no space left.
func Divide(needs []int, space, least int) []int {
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
