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

// hasSameSpaces reports whether a page of plain HTML has exactly the non-ASCII blanks of
// its text. Markdown shows all blanks alike, so a choice among them could hide data. The
// page may replace the indentation of a text line with no-break spaces.
func hasSameSpaces(text, page string) bool {
	has := nonASCIISpaces(html.UnescapeString(htmlTags().ReplaceAllString(page, "")))
	if has == "" || has == nonASCIISpaces(text) {
		return true
	}
	return has == nonASCIISpaces(lineIndent().ReplaceAllStringFunc(text, func(start string) string {
		blank := strings.TrimRight(start, " \t")
		if strings.HasSuffix(blank, ">") && len(blank) < len(start) {
			blank += " " // a space follows the quote mark
		}
		return blank + strings.Repeat("\u00A0", len(start)-len(blank))
	}))
}

// nonASCIISpaces returns a text's non-ASCII spaces, each with the letter or digit before
// and after it.
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
