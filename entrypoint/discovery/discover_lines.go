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

// The levels of detail of an answer. All use the same ranking.
const (
	detailNames      = "names"
	detailSignatures = "signatures"
	detailFull       = "full"
)

// The limits of an answer. They keep it within 400 tokens.
const (
	maxSignatures  = 3    // actions with signatures; a caller needs the arguments only of the best actions
	maxAnswerBytes = 1400 // bytes of an answer without the actions after maxSignatures; if it is longer, shorten leaves out parts
	maxCallBytes   = 176  // bytes of the example call
)

// shorten removes parts of an answer until it is short enough. It removes summaries, then the
// example call, then signatures. It begins with the last action, and keeps the summary and
// signature of the first.
func (d *Findings) shorten() {
	signed := *d
	signed.Actions = d.Actions[:min(maxSignatures, len(d.Actions))]
	for i := len(signed.Actions) - 1; i > 0 && jsonSize(signed) > maxAnswerBytes; i-- {
		signed.Actions[i].Summary = ""
	}
	if jsonSize(signed) > maxAnswerBytes {
		d.Call, signed.Call = nil, nil
	}
	for i := len(signed.Actions) - 1; i > 0 && jsonSize(signed) > maxAnswerBytes; i-- {
		signed.Actions[i] = ActionLine{Tool: signed.Actions[i].Tool, Deprecated: signed.Actions[i].Deprecated}
	}
}

// actionLines returns the actions with this detail. With detailSignatures, the parameter signed
// is how many actions, from the first, have more than the name.
func actionLines(shown []catalogueAction, detail string, signed int) []ActionLine {
	lines := make([]ActionLine, len(shown))
	for i, a := range shown {
		lines[i] = ActionLine{Tool: a.Tool, Deprecated: a.Deprecated}
		switch {
		case detail == detailNames:
			lines[i].Brief = a.Brief()
		case detail == detailFull:
			lines[i].Spec = a.Spec()
		case i < signed:
			lines[i].Summary, lines[i].Effect, lines[i].Signature = a.Summary, a.Effect, a.wholeSignature()
		}
	}
	return lines
}

// wholeSignature returns the signature with all arguments, or "" for an action without input.
func (a catalogueAction) wholeSignature() string {
	if a.Input == nil {
		return ""
	}
	return metadata.SignatureWithin(math.MaxInt, a.Name, a.Input)
}

// jsonSize returns the length of the value as JSON.
func jsonSize(v any) int {
	text, err := metadata.Plain(v)
	if err != nil {
		panic("marshal an example or a line: " + err.Error()) // examples are checked when bound
	}
	return len(text)
}

// bundleLine describes the bundle in one line. The count is how many of its actions pass the
// filters.
func (c *Catalogue) bundleLine(b metadata.Bundle, count int) BundleLine {
	return BundleLine{
		Key: b.Key, Name: b.Name, Description: b.Description, Category: b.Category, Tags: b.Tags,
		Enabled: b.Enabled, Unavailable: c.unavailableReason(b), ActionCount: count,
	}
}

// shortBundleLines returns one short line for each bundle of the actions. If several bundles
// have the same problem, only the first line has its text.
func (c *Catalogue) shortBundleLines(actions []catalogueAction) []BundleLine {
	short := []BundleLine{}
	for _, a := range actions {
		if slices.ContainsFunc(short, func(l BundleLine) bool { return l.Key == a.bundle.Key }) {
			continue
		}
		l := BundleLine{Key: a.bundle.Key, Enabled: a.bundle.Enabled, Unavailable: c.unavailableReason(*a.bundle), ActionCount: len(a.bundle.Actions)}
		if i := slices.IndexFunc(short, func(b BundleLine) bool { return b.Unavailable == l.Unavailable }); i >= 0 && l.Unavailable != "" {
			l.Unavailable = "the same reason as " + short[i].Key
		}
		short = append(short, l)
	}
	return short
}

// browseLimit is the maximum number of bundles in one answer.
const browseLimit = 50

// page returns one page of items and the cursor of the next page, or "" after the last page.
// The cursor is valid only with the same query and filters. If the offset is too large, page
// returns an error.
func page[T any](items []T, offset, limit int, in discoverIn) ([]T, string, error) {
	if offset > 0 && offset >= len(items) {
		return nil, "", cursorError(in.Cursor)
	}
	to := min(offset+limit, len(items))
	if to < len(items) {
		return items[offset:to], "at-" + strconv.Itoa(to) + "-" + in.requestHash(), nil
	}
	return items[offset:to], "", nil
}

// defaultLimit is the default number of actions in an answer.
const defaultLimit = 5

// wantsPages reports whether the caller sent a cursor, or a limit other than 1 and the default.
func (in discoverIn) wantsPages() bool {
	return in.Cursor != "" || in.Limit > 1 && in.Limit != defaultLimit
}

// requestHash returns a short hash of the query and the filters.
func (in discoverIn) requestHash() string {
	sum := fnv.New32a()
	fmt.Fprintf(sum, "%q %q %q %q %q %t", strings.TrimSpace(in.Query), in.Bundle, in.Category, in.Tags, in.Effect, in.EnabledOnly)
	return strconv.FormatUint(uint64(sum.Sum32()), 36)
}

// readCursor returns the offset in a cursor that page returned for the same query and filters.
func (in discoverIn) readCursor() (int, error) {
	if in.Cursor == "" {
		return 0, nil
	}
	position, hash, _ := strings.Cut(strings.TrimPrefix(in.Cursor, "at-"), "-")
	offset, err := strconv.Atoi(position)
	if err != nil || offset <= 0 || hash != in.requestHash() {
		return 0, cursorError(in.Cursor)
	}
	return offset, nil
}

func cursorError(cursor string) error {
	e := metadata.Errorf(metadata.ValidationError, "the cursor is not from an answer to this query")
	e.Problems = []metadata.Problem{{Path: "cursor", Expected: "next_cursor of an earlier answer to the same query and filters", Got: metadata.Shorten(cursor)}}
	return e.WithHint("Leave cursor out to start again.")
}
