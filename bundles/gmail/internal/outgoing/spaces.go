package outgoing

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"kota/bundles/internal/lazyregexp"
)

var (
	htmlTags   = lazyregexp.New(`<[^>]*>`)
	lineIndent = lazyregexp.New(`(?m)^((?:> ?)*)([ \t]+)`)
)

// hasSameSpaces reports whether the non-ASCII spaces of an HTML page come from its text.
// They must be exactly the non-ASCII spaces of the text. Or they must be those that the text
// has if the indentation of every line becomes no-break spaces. A page without such spaces
// always passes. The user sees the page as Markdown, in which all spaces look alike, so
// other spaces could hide data.
func hasSameSpaces(text, page string) bool {
	inPage := nonASCIISpaces(html.UnescapeString(htmlTags().ReplaceAllString(page, "")))
	if inPage == "" || inPage == nonASCIISpaces(text) {
		return true
	}
	return inPage == nonASCIISpaces(lineIndent().ReplaceAllStringFunc(text, func(start string) string {
		kept := strings.TrimRight(start, " \t")
		if strings.HasSuffix(kept, ">") && len(kept) < len(start) {
			kept += " " // a space follows the quote mark
		}
		return kept + strings.Repeat("\u00A0", len(start)-len(kept))
	}))
}

// nonASCIISpaces returns a text's non-ASCII spaces. It writes the last letter or digit
// before each space, and the next one after a run of spaces. It leaves out all other
// characters.
func nonASCIISpaces(text string) string {
	var found strings.Builder
	before, isPending := ' ', false
	for _, r := range text {
		switch {
		case r >= utf8.RuneSelf && unicode.IsSpace(r):
			found.WriteString(string(before) + string(r))
			isPending = true
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if isPending {
				found.WriteRune(r)
			}
			before, isPending = r, false
		}
	}
	return found.String()
}
