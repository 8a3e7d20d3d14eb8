package bundles

import (
	"bytes"

	"kota/bundles/internal/htmltext"
	"kota/metadata"
)

// Clean returns text as it may leave by any door: without characters that show
// nothing but to a program, also where they are written as references of HTML.
// Emoji and the joiners that a word is spelt with stay; changed nothing, it is
// the same text. What bundles answer is clean already where it is text of
// strangers; this holds for all of it, whoever wrote it.
func Clean(text string) string {
	clean, _ := htmltext.Text(text)
	return clean
}

// Visible returns text for a user who has to judge it: what a screen obeys or does
// not show is marked, such as ⟨U+200B⟩. Texts that differ in a byte differ in what
// it returns.
func Visible(text string) string { return htmltext.Visible(text) }

// VisibleLine returns Visible of text with newlines marked too.
func VisibleLine(text string) string { return htmltext.VisibleLine(text) }

// CleanJSON is Clean for every string in a JSON text; the rest of it stays as it
// is, to the byte.
func CleanJSON(raw []byte) []byte { return htmltext.JSON(raw) }

// CleanError is Clean for all that an error says. An error may be shared: it
// stays as it is, and what is returned may be another.
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
