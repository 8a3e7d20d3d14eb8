package term

import (
	"strconv"
	"strings"
	"unicode"
)

// Printable returns a text of others as one line for a terminal. It escapes
// characters that could control the terminal.
func Printable(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
	}
	return b.String()
}
