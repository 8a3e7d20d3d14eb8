package present

import (
	"strconv"
	"unicode/utf8"

	"kota/bundles/internal/budget"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/untrusted"
)

// Share sets the bodies of an answer so that the answer fits into space. Long bodies get
// the space that short ones do not need. Every body begins at offset. Untrusted bodies get
// the fence.
func Share(answer any, bodies []*BodyText, offset, space int, fence untrusted.Fence) {
	for _, b := range bodies {
		b.Body, b.NextOffset, b.TotalChars = "", 1_000_000, len(b.text)
		if b.isUntrusted {
			space -= untrusted.FenceSize
		}
	}
	space -= budget.Size(answer)
	needs := make([]int, len(bodies))
	for i, b := range bodies {
		b.Body, b.NextOffset, b.TotalChars = htmltext.Cut(b.text, offset, max(space, MinBody))
		needs[i] = budget.Size(b.Body)
	}
	for i, limit := range budget.Divide(needs, space, MinBody) {
		b := bodies[i]
		if b.cut(offset, limit, needs[i]); b.isUntrusted {
			b.Body = fence.Wrap(b.Body)
		}
	}
}

// Fit shortens the snippets of an answer's rows until the answer has at most the default
// size. If that is not enough, it also removes the recipients.
func Fit(answer any, rows []*Row) {
	for _, limit := range []int{120, 60, 0} {
		if budget.Size(answer) <= budget.DefaultSize {
			return
		}
		for _, row := range rows {
			row.Snippet = htmltext.First(row.Snippet, limit)
		}
	}
	if budget.Size(answer) <= budget.DefaultSize {
		return
	}
	for _, row := range rows {
		row.To = ""
	}
}

// MinBody is the number of characters that a body gets even if no space is left, counted in
// JSON.
const MinBody = 200

// cut shortens the body so that its encoded size is at most limit. The body begins at
// offset, and need is its current encoded size.
func (b *BodyText) cut(offset, limit, need int) {
	for need > limit && b.Body != "" {
		next := 0
		b.Body, next, _ = htmltext.Cut(b.Body, 0, max(1, utf8.RuneCountInString(b.Body)*limit/need))
		b.NextOffset, need = offset+next, budget.Size(b.Body)
		if next <= 1 {
			return
		}
	}
}

// Counted returns n with the noun in its singular or plural form.
func Counted(n int, singular, plural string) string {
	if n == 1 {
		return "1 " + singular
	}
	return strconv.Itoa(n) + " " + plural
}
