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
// least 1.7 characters per token, so this limit leaves a margin.
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

// Divide returns how much of space each part gets, in the order of needs. No part
// gets more than it needs. The parts that get less than they need get equal
// shares, up to rounding. Each part gets at least minimum, or all that it needs,
// even if no space is left.
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
