package gmail

import (
	"slices"
	"unicode/utf8"

	"kota/bundles/internal/readable"
	"kota/metadata"
)

// share gives each body of an answer as much as the answer has room for. What
// the short ones do not need goes to the long ones. offset is where the bodies
// begin.
func share(answer any, bodies []*bodyOut, offset, room int) {
	for _, b := range bodies {
		b.Body, b.NextOffset, b.TotalChars = "", 1_000_000, len(b.text)
	}
	room -= written(answer)
	needs := make([]int, len(bodies))
	for i, b := range bodies {
		b.Body, b.NextOffset, b.TotalChars = readable.Cut(b.text, offset, max(room, leastOfABody))
		needs[i] = written(b.Body)
	}
	for i, most := range portions(needs, room) {
		bodies[i].cut(offset, most, needs[i])
	}
}

// answerRoom is how many characters an answer has, unless its caller says
// otherwise.
const answerRoom = 25_000

// fit shortens the snippets of an answer's rows, and then leaves out to whom
// they went, until it has room.
func fit(answer any, rows []*messageRow) {
	for _, most := range []int{120, 60, 0} {
		if written(answer) <= answerRoom {
			return
		}
		for _, row := range rows {
			row.Snippet = short(row.Snippet, most)
		}
	}
	if written(answer) <= answerRoom {
		return
	}
	for _, row := range rows {
		row.To = ""
	}
}

// leastOfABody is what a body gets even where there is no room left.
const leastOfABody = 200

// portions divides room among needs: nobody gets more than it needs, and who
// gets less gets as much as the others who do.
func portions(needs []int, room int) []int {
	order := make([]int, len(needs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return needs[a] - needs[b] })
	given := make([]int, len(needs))
	for done, i := range order {
		fair := max(room/(len(order)-done), leastOfABody)
		given[i] = min(needs[i], fair)
		room -= given[i]
	}
	return given
}

// cut shortens the body, which begins at the offset, to most characters as
// they are written in the answer; need is what it takes as it is.
func (b *bodyOut) cut(offset, most, need int) {
	for need > most && b.Body != "" {
		next := 0
		b.Body, next, _ = readable.Cut(b.Body, 0, max(1, utf8.RuneCountInString(b.Body)*most/need))
		b.NextOffset, need = offset+next, written(b.Body)
		if next <= 1 {
			return
		}
	}
}

// written is how many characters a value takes in an answer.
func written(v any) int {
	raw, err := metadata.Plain(v)
	if err != nil {
		return 0 // what cannot be written is not in the answer
	}
	return utf8.RuneCount(raw)
}
