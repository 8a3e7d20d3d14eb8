package entrypoint

import (
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
	callMost       = 160 // of the ready call
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

// readyCall returns the first example of the action as a call, nil when it has
// none or a long one.
func readyCall(a metadata.Action) *metadata.Step {
	if len(a.Examples) == 0 {
		return nil
	}
	call := metadata.Step{Tool: a.Tool, Args: a.Examples[0].Args}
	if size(call) > callMost {
		return nil
	}
	return &call
}

// size is how long the value is as JSON.
func size(v any) int {
	text, err := metadata.Plain(v)
	if err != nil {
		panic("marshal an example or a line: " + err.Error()) // examples are checked when bound
	}
	return len(text)
}

func line(b metadata.Bundle) BundleLine {
	return BundleLine{
		Key: b.Key, Name: b.Name, Description: b.Description, Category: b.Category, Tags: b.Tags,
		Enabled: b.Enabled, Unavailable: b.Unavailable, ActionCount: len(b.Actions),
	}
}

// shortLines returns a short line for each bundle of the actions. The same
// trouble is told once.
func shortLines(actions []listed) []BundleLine {
	short := []BundleLine{}
	for _, a := range actions {
		if slices.ContainsFunc(short, func(l BundleLine) bool { return l.Key == a.bundle.Key }) {
			continue
		}
		l := BundleLine{Key: a.bundle.Key, Enabled: a.bundle.Enabled, Unavailable: a.bundle.Unavailable, ActionCount: len(a.bundle.Actions)}
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

// page cuts one page out of all and returns the cursor of the next one.
func page[T any](all []T, offset, limit int) ([]T, string) {
	from := min(offset, len(all))
	to := min(from+limit, len(all))
	if to < len(all) {
		return all[from:to], "at-" + strconv.Itoa(to)
	}
	return all[from:to], ""
}

// readCursor reads what page wrote. Since the catalogue never changes, a
// position is a stable cursor.
func readCursor(cursor string) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	digits, ok := strings.CutPrefix(cursor, "at-")
	offset, err := strconv.Atoi(digits)
	if !ok || err != nil || offset < 0 {
		e := metadata.Errorf(metadata.ValidationError, "the cursor is not one of KOTA's")
		e.Problems = []metadata.Problem{{Path: "cursor", Expected: "next_cursor of an earlier answer", Got: shorten(cursor)}}
		return 0, e.WithHint("Leave cursor out to start again.")
	}
	return offset, nil
}
