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
	maxSignatures  = 3    // actions with signatures: a caller needs the arguments of the best, and only the names of the rest
	maxAnswerBytes = 1400 // bytes of an answer up to its last signature; if it is longer, shorten leaves out parts
	maxCallBytes   = 176  // bytes of the example call
)

// shorten removes all summaries except the first, then the example call, and then the last
// signatures from an answer with long signatures.
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

// actionLines returns the actions at that detail. At the level of signatures, only the first
// ones have more than the name.
func actionLines(shown []catalogueAction, detail string, signed int) []ActionLine {
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

// bundleLine describes the bundle in one line. Count is how many of its actions pass the filters.
func (c *Catalogue) bundleLine(b metadata.Bundle, count int) BundleLine {
	return BundleLine{
		Key: b.Key, Name: b.Name, Description: b.Description, Category: b.Category, Tags: b.Tags,
		Enabled: b.Enabled, Unavailable: c.unavailableReason(b), ActionCount: count,
	}
}

// shortBundleLines returns one short line for each bundle of the actions. It shows the same problem only once.
func (c *Catalogue) shortBundleLines(actions []catalogueAction) []BundleLine {
	short := []BundleLine{}
	for _, a := range actions {
		if slices.ContainsFunc(short, func(l BundleLine) bool { return l.Key == a.bundle.Key }) {
			continue
		}
		l := BundleLine{Key: a.bundle.Key, Enabled: a.bundle.Enabled, Unavailable: c.unavailableReason(*a.bundle), ActionCount: len(a.bundle.Actions)}
		if i := slices.IndexFunc(short, func(b BundleLine) bool { return b.Unavailable == l.Unavailable }); i >= 0 && l.Unavailable != "" {
			l.Unavailable = "as " + short[i].Key
		}
		short = append(short, l)
	}
	return short
}

// browseLimit is the maximum number of bundles in one answer. Their lines are shorter than those of actions.
const browseLimit = 50

// page returns one page of all and the cursor of the next page, which is valid for the
// same request. It returns an error if the offset is behind the end.
func page[T any](all []T, offset, limit int, in discoverIn) ([]T, string, error) {
	if offset > 0 && offset >= len(all) {
		return nil, "", cursorError(in.Cursor)
	}
	to := min(offset+limit, len(all))
	if to < len(all) {
		return all[offset:to], "at-" + strconv.Itoa(to) + "-" + in.requestHash(), nil
	}
	return all[offset:to], "", nil
}

// defaultLimit is the default number of actions in an answer.
const defaultLimit = 5

// wantsPages reports whether the caller wants pages: it sent a cursor or a limit of its own above 1.
func (in discoverIn) wantsPages() bool {
	return in.Cursor != "" || in.Limit > 1 && in.Limit != defaultLimit
}

// requestHash returns a short hash of the query and the filters.
func (in discoverIn) requestHash() string {
	sum := fnv.New32a()
	fmt.Fprintf(sum, "%q %q %q %q %q %t", strings.TrimSpace(in.Query), in.Bundle, in.Category, in.Tags, in.Effect, in.EnabledOnly)
	return strconv.FormatUint(uint64(sum.Sum32()), 36)
}

// readCursor returns the offset in a cursor that page returned for the same request.
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
