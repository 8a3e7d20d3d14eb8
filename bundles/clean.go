package bundles

import (
	"bytes"

	"kota/bundles/internal/htmltext"
	"kota/metadata"
)

// Clean removes invisible characters from text, also if they are written as HTML
// character references. It keeps emoji, and the joiners that the spelling of a word needs.
// It replaces invalid UTF-8, and turns other line ends into newlines. Bundles already clean
// untrusted content; Clean covers all output, whoever wrote it.
func Clean(text string) string {
	clean, _ := htmltext.Text(text)
	return clean
}

// Visible returns text for a user who has to judge it. It marks control and invisible
// characters, for example as ⟨U+200B⟩. Texts that differ in a byte also differ in the
// result.
func Visible(text string) string { return htmltext.Visible(text) }

// VisibleLine does the same as Visible and also marks newlines.
func VisibleLine(text string) string { return htmltext.VisibleLine(text) }

// CleanJSON cleans every string in a JSON text, including the names of members.
// It keeps all other bytes, and returns invalid JSON unchanged.
func CleanJSON(raw []byte) []byte { return htmltext.CleanJSON(raw) }

// CleanError returns e with all its texts cleaned. Errors may be shared, so
// CleanError never changes e: if a text differs, it returns a copy.
func CleanError(e *metadata.Error) *metadata.Error {
	raw, err := metadata.Plain(e)
	if err != nil || bytes.Equal(CleanJSON(raw), raw) {
		return e
	}
	clean := *e
	clean.Message, clean.Hint, clean.Schema = Clean(e.Message), Clean(e.Hint), CleanJSON(e.Schema)
	clean.Problems = append([]metadata.Problem(nil), e.Problems...)
	for i, p := range clean.Problems {
		clean.Problems[i] = metadata.Problem{Path: Clean(p.Path), Expected: Clean(p.Expected), Got: Clean(p.Got), Suggestion: Clean(p.Suggestion)}
	}
	return &clean
}
