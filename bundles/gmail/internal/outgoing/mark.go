package outgoing

import (
	"bytes"
	"context"
	"slices"

	"kota/bundles"
)

// wordsHeader marks a draft that KOTA wrote after text from strangers was read. It
// stands in the draft itself, so that every session and process sees it, and undo
// brings it back. The mark goes when the draft is sent, and when the user rewrites
// the draft in a program that drops unknown headers.
const (
	wordsHeader = "X-Kota-Words"
	mixedWords  = "mixed" // its value
)

// MarkIfTainted returns a draft that is about to be saved, marked where text from
// strangers came into the session of the call in ctx.
func MarkIfTainted(ctx context.Context, raw []byte) []byte {
	if !bundles.ForeignCame(ctx) {
		return raw
	}
	return Mark(raw)
}

// Mark returns the mail with the mark, once.
func Mark(raw []byte) []byte {
	return slices.Concat([]byte(wordsHeader+": "+mixedWords+"\r\n"), unmark(raw))
}

// unmark returns the mail without the mark, which its recipients need not see.
func unmark(raw []byte) []byte {
	header, body, found := bytes.Cut(raw, []byte("\r\n\r\n"))
	lines := slices.DeleteFunc(bytes.Split(header, []byte("\r\n")), func(line []byte) bool {
		name, _, _ := bytes.Cut(line, []byte(":"))
		return bytes.EqualFold(bytes.TrimSpace(name), []byte(wordsHeader))
	})
	header = bytes.Join(lines, []byte("\r\n"))
	if !found {
		return header
	}
	return slices.Concat(header, []byte("\r\n\r\n"), body)
}

// IsMarked reports whether a draft has the mark. A draft whose header cannot be
// read may have it.
func IsMarked(raw []byte) bool {
	header := headerOf(raw)
	return len(header) == 0 || header.Get(wordsHeader) != ""
}
