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

// hasSameSpaces reports whether an HTML page has no non-ASCII spaces, or exactly those of
// its text, or exactly those of the text after the indentation of every line has become
// no-break spaces. The user sees the page as Markdown, in which all spaces look alike, so
// different spaces could hide data.
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

// nonASCIISpaces returns a text's non-ASCII spaces, each after the nearest letter or
// digit before it. The next letter or digit in the text follows the last of them. Other
// characters are left out.
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
