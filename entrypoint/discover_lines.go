package entrypoint

import (
	"fmt"
	"hash/fnv"
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

// The bounds of an answer, in bytes, which keep five actions within 400 tokens.
const (
	answerShare    = 180 // of everything but JSON's marks, for each action
	signatureLeast = 32  // of a signature, unless its required arguments need more
	signatureMost  = 240 // of a signature
	callMost       = 176 // of the ready call
)

// lines shows the actions in that detail, beside so many bytes.
func lines(shown []listed, detail string, beside int) []ActionLine {
	all := make([]ActionLine, len(shown))
	for i, a := range shown {
		switch detail {
		case detailNames:
			all[i] = ActionLine{Tool: a.Tool, Brief: a.Brief()}
		case detailFull:
			all[i] = ActionLine{Tool: a.Tool, Spec: a.Spec()}
		default:
			all[i] = ActionLine{Tool: a.Tool, Summary: a.Summary, Effect: a.Effect}
			beside += len(a.Tool) + len(a.Summary)
		}
		all[i].Deprecated = a.Deprecated
	}
	if detail == detailSignatures {
		sign(all, shown, answerShare*len(shown)-beside)
	}
	return all
}

// sign adds signatures of so many bytes together. The first are whole where
// there is room; in the others optional arguments may be left out.
func sign(all []ActionLine, shown []listed, left int) {
	for i, a := range shown {
		if a.Input == nil {
			continue
		}
		most := signatureMost
		if len(shown) > 1 {
			most = min(most, max(signatureLeast, left-signatureLeast*(len(shown)-i-1)))
		}
		all[i].Signature = metadata.SignatureWithin(most, a.Name, a.Input)
		left -= len(all[i].Signature)
	}
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
func (c *catalogue) line(b metadata.Bundle, count int) BundleLine {
	return BundleLine{
		Key: b.Key, Name: b.Name, Description: b.Description, Category: b.Category, Tags: b.Tags,
		Enabled: b.Enabled, Unavailable: c.unavailableNow(b), ActionCount: count,
	}
}

// shortLines returns a short line for each bundle of the actions. The same
// trouble is told once.
func (c *catalogue) shortLines(actions []listed) []BundleLine {
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

// browseLimit bounds a listing of bundles, whose lines are cheaper than
// actions: five of them would be a poor index.
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

// question is short for what is asked for: the query and the filters.
func (in discoverIn) question() string {
	sum := fnv.New32a()
	fmt.Fprintf(sum, "%q %q %q %q %q %t", strings.TrimSpace(in.Query), in.Bundle, in.Category, in.Tags, in.Effect, in.EnabledOnly)
	return strconv.FormatUint(uint64(sum.Sum32()), 36)
}

// readCursor reads what page wrote for the same question. Since the catalogue
// never changes, a position is a stable cursor.
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
	e.Problems = []metadata.Problem{{Path: "cursor", Expected: "next_cursor of an earlier answer to the same query and filters", Got: shorten(cursor)}}
	return e.WithHint("Leave cursor out to start again.")
}
