package briefing

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"kota/bundles/internal/budget"
)

// tokens returns the estimated tokens of all items of a part.
func (p *briefPart[R]) tokens() int {
	sum := 0
	for _, r := range p.Items {
		sum += estimateTokens(r)
	}
	return sum
}

// trim leaves out the least important items until the others fit into space. It says how
// many items are left out. The others keep their order.
func (p *briefPart[R]) trim(space int) {
	order := make([]int, len(p.Items))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.Items[a].rank(), p.Items[b].rank()) })
	kept := order[:0:0]
	for _, i := range order {
		if space -= estimateTokens(p.Items[i]); space < 0 {
			break
		}
		kept = append(kept, i)
	}
	slices.Sort(kept)
	rows := make([]R, 0, len(kept))
	for _, i := range kept {
		rows = append(rows, p.Items[i])
	}
	if left := len(p.Items) - len(rows) + p.omitted; left > 0 {
		p.More = strings.TrimSuffix(fmt.Sprintf("%d more: %s", left, p.moreCall), ": ")
	}
	p.Items = rows
}

// Limits of an answer, in tokens as estimateTokens estimates them. Its estimates are usually too
// high: 1,570 means 1,000 to 1,300 tokens in most scripts, and fewer than 1,500 in mixed
// ones.
const (
	maxBriefingTokens = 1570
	maxMoreTokens     = 45 // the line that says what was left out
	minPartTokens     = 60 // each part gets at least these, or all that it needs
)

// fit leaves out items that do not fit. Parts that need little leave the rest to the
// others.
func (out *Briefing) fit() {
	parts := []interface {
		tokens() int
		trim(space int)
	}{&out.Calendar, &out.Tasks, &out.Mail, &out.Memories, &out.Yesterday}
	frame := *out
	frame.Calendar.Items, frame.Tasks.Items, frame.Mail.Items, frame.Memories.Items, frame.Yesterday.Items = nil, nil, nil, nil, nil
	space := maxBriefingTokens - estimateTokens(frame)
	needs := make([]int, len(parts))
	for i, p := range parts {
		if needs[i] = p.tokens(); needs[i] > 0 {
			space -= maxMoreTokens
		}
	}
	for i, portion := range budget.Divide(needs, space, minPartTokens) {
		parts[i].trim(portion)
	}
}

// estimateTokens estimates the tokens of a value in JSON: its texts, and one token for each
// name, value and delimiter.
func estimateTokens(v any) int {
	raw, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	sum := 0
	for words := json.NewDecoder(bytes.NewReader(raw)); ; {
		switch word, err := words.Token(); text := word.(type) {
		case nil:
			if err != nil {
				return sum
			}
			sum++
		case string:
			sum += budget.Tokens(text) + 1
		default:
			sum++
		}
	}
}
