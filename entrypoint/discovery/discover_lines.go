package discovery

import (
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"strings"

	"kota/metadata"
)

// The levels of detail of an answer. The ranking is the same at all of them.
const (
	detailNames      = "names"
	detailSignatures = "signatures"
	detailFull       = "full"
)

// The bounds of an answer, which keep it within 400 tokens.
const (
	mostSigned = 3    // actions with signatures: a caller needs the arguments of the best, and the names of the rest
	answerMost = 1400 // bytes of an answer up to its last signature, beyond which summaries and the call are left out
	callMost   = 176  // bytes of the ready call
)

// shorten leaves out the summaries behind the first, and then the ready call, of an
// answer whose signatures are long: these say more.
func (d *Findings) shorten() {
	signed := *d
	signed.Actions = d.Actions[:min(mostSigned, len(d.Actions))]
	for i := len(signed.Actions) - 1; i > 0 && size(signed) > answerMost; i-- {
		signed.Actions[i].Summary = ""
	}
	if size(signed) > answerMost {
		d.Call = nil
	}
}

// lines shows the actions in that detail, from the signed-th on by name only.
func lines(shown []listed, detail string, signed int) []ActionLine {
	all := make([]ActionLine, len(shown))
	for i, a := range shown {
		all[i] = ActionLine{Tool: a.Tool, Deprecated: a.Deprecated}
		switch {
		case detail == detailNames:
			all[i].Brief = a.Brief()
		case detail == detailFull:
			all[i].Spec = a.Spec()
		case i < signed:
			all[i].Summary, all[i].Effect, all[i].Signature = a.Summary, a.Effect, a.wholeSignature()
		}
	}
	return all
}

// wholeSignature returns the full signature, "" for an action without input.
func (a listed) wholeSignature() string {
	if a.Input == nil {
		return ""
	}
	return metadata.SignatureWithin(math.MaxInt, a.Name, a.Input)
}

// size is how long the value is as JSON.
func size(v any) int {
	text, err := metadata.Plain(v)
	if err != nil {
		panic("marshal an example or a line: " + err.Error()) // examples are checked when bound
	}
	return len(text)
}

// line is the bundle in a line, of whose actions so many pass the filters.
func (c *Catalogue) line(b metadata.Bundle, count int) BundleLine {
	return BundleLine{
		Key: b.Key, Name: b.Name, Description: b.Description, Category: b.Category, Tags: b.Tags,
		Enabled: b.Enabled, Unavailable: c.unavailableNow(b), ActionCount: count,
	}
}

// shortLines returns a short line for each bundle of the actions, the same trouble once.
func (c *Catalogue) shortLines(actions []listed) []BundleLine {
	short := []BundleLine{}
	for _, a := range actions {
		if slices.ContainsFunc(short, func(l BundleLine) bool { return l.Key == a.bundle.Key }) {
			continue
		}
		l := BundleLine{Key: a.bundle.Key, Enabled: a.bundle.Enabled, Unavailable: c.unavailableNow(*a.bundle), ActionCount: len(a.bundle.Actions)}
		if i := slices.IndexFunc(short, func(b BundleLine) bool { return b.Unavailable == l.Unavailable }); i >= 0 && l.Unavailable != "" {
			l.Unavailable = "as " + short[i].Key
		}
		short = append(short, l)
	}
	return short
}

// browseLimit bounds a listing of bundles, whose lines are cheaper than actions.
const browseLimit = 50

// page cuts one page out of all and returns the cursor of the next one, which is
// for the same question. It returns an error for a page behind the last.
func page[T any](all []T, offset, limit int, in discoverIn) ([]T, string, error) {
	if offset > 0 && offset >= len(all) {
		return nil, "", wrongCursor(in.Cursor)
	}
	to := min(offset+limit, len(all))
	if to < len(all) {
		return all[offset:to], "at-" + strconv.Itoa(to) + "-" + in.question(), nil
	}
	return all[offset:to], "", nil
}

// usualLimit is how many actions an answer has unless the caller says.
const usualLimit = 5

// pages reports whether the caller asks for a page, or for so many of several actions.
func (in discoverIn) pages() bool {
	return in.Cursor != "" || in.Limit > 1 && in.Limit != usualLimit
}

// question is short for what is asked for: the query and the filters.
func (in discoverIn) question() string {
	sum := fnv.New32a()
	fmt.Fprintf(sum, "%q %q %q %q %q %t", strings.TrimSpace(in.Query), in.Bundle, in.Category, in.Tags, in.Effect, in.EnabledOnly)
	return strconv.FormatUint(uint64(sum.Sum32()), 36)
}

// readCursor reads a position that page wrote for the same question.
func (in discoverIn) readCursor() (int, error) {
	if in.Cursor == "" {
		return 0, nil
	}
	position, question, _ := strings.Cut(strings.TrimPrefix(in.Cursor, "at-"), "-")
	offset, err := strconv.Atoi(position)
	if err != nil || offset <= 0 || question != in.question() {
		return 0, wrongCursor(in.Cursor)
	}
	return offset, nil
}

func wrongCursor(cursor string) error {
	e := metadata.Errorf(metadata.ValidationError, "the cursor is not of an answer to this question")
	e.Problems = []metadata.Problem{{Path: "cursor", Expected: "next_cursor of an earlier answer to the same query and filters", Got: metadata.Shorten(cursor)}}
	return e.WithHint("Leave cursor out to start again.")
}
