// Package budget limits the size of an answer and divides it among its parts. A
// client truncates an answer that is too long, or ends the conversation.
package budget

import (
	"slices"
	"unicode/utf8"

	"kota/metadata"
)

// DefaultSize is how many characters an answer may have, unless its caller asks
// for another size. Claude Code accepts 25,000 tokens from a tool. JSON has at
// least 1.7 characters per token, so that this leaves a margin.
const DefaultSize = 25_000

// Size returns how many characters a value takes in an answer, as JSON. It
// returns 0 for a value without a form in JSON, because no answer can contain
// it.
func Size(v any) int {
	raw, err := metadata.Plain(v)
	if err != nil {
		return 0
	}
	return utf8.RuneCount(raw)
}

// Divide returns how much of space each need gets, in the same order. None gets
// more than it needs. Those that get less than they need get the same, up to
// rounding. Each gets at least minimum, or all it needs, even if there is no
// space left.
func Divide(needs []int, space, minimum int) []int {
	order := make([]int, len(needs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return needs[a] - needs[b] })
	shares := make([]int, len(needs))
	for done, i := range order {
		fair := max(space/(len(order)-done), minimum)
		shares[i] = min(needs[i], fair)
		space -= shares[i]
	}
	return shares
}
