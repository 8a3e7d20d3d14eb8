package htmltext

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns s with a mark such as ⟨U+200B⟩ in place of everything that is
// not visible. It marks control characters, and blanks other than the space and
// the newline. It also marks characters that Text drops, bytes that are not
// UTF-8, and characters without a glyph. Text and Visible share one rule about
// what is visible. Visible leaves HTML references as written.
//
// The results for two texts differ if the texts differ in a byte. For that, a
// mark names its character, and the bracket that opens a mark is itself marked.
func Visible(s string) string {
	if isPlainASCII(s) && !strings.Contains(s, "\t") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	var last rune // the last character, as shown
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch {
		case r == utf8.RuneError && size <= 1:
			fmt.Fprintf(&b, "%cbyte %02X%c", openMark, s[i-size], closeMark)
			last = closeMark
			continue
		case r == blackFlag:
			tags := flagTags(s[i:])
			b.WriteRune(r)
			b.WriteString(tags)
			i += len(tags)
		case r == '\n', r != openMark && unicode.IsPrint(r) && isVisible(r), r != openMark && isNeeded(last, r, s[i:]):
			b.WriteRune(r)
		default:
			b.WriteString(mark(r))
			r = closeMark
		}
		last = r
	}
	return b.String()
}

// VisibleLine is Visible with newlines marked too.
func VisibleLine(s string) string { return strings.ReplaceAll(Visible(s), "\n", mark('\n')) }

// Marks are enclosed in brackets that no other program writes around such
// names.
const (
	openMark  = '⟨'
	closeMark = '⟩'
)

// mark returns the mark for a character.
func mark(r rune) string {
	name, ok := markNames[r]
	if !ok {
		name = fmt.Sprintf("%U", r)
	}
	return string(openMark) + name + string(closeMark)
}

// markNames are the names of characters that people type or paste every day.
var markNames = map[rune]string{'\t': "tab", '\n': "newline", '\r': "return", '\u00A0': "no-break space"}
