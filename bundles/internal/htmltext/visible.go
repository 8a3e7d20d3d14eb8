package htmltext

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns s with a mark such as ⟨U+200B⟩ in place of all that a screen
// obeys or does not show. It marks controls, blanks other than the space and the
// newline, what Text drops, bytes that are not UTF-8, and characters without a
// glyph. Text and Visible share one rule of what shows. Visible leaves references
// of HTML as they are written.
//
// Two texts that differ in a byte differ in what it returns: a mark names what it
// stands for, and the bracket that opens a mark is marked itself.
func Visible(s string) string {
	if plain(s) && !strings.Contains(s, "\t") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	var last rune // the last one as it is shown
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
		case r == '\n', r != openMark && unicode.IsPrint(r) && shows(r), r != openMark && needed(last, r, s[i:]):
			b.WriteRune(r)
		default:
			b.WriteString(mark(r))
			r = closeMark
		}
		last = r
	}
	return b.String()
}

// VisibleLine returns Visible of s with newlines marked too.
func VisibleLine(s string) string { return strings.ReplaceAll(Visible(s), "\n", mark('\n')) }

// Marks stand between brackets that no other program writes around such names.
const (
	openMark  = '⟨'
	closeMark = '⟩'
)

// mark names a character.
func mark(r rune) string {
	name, ok := markNames[r]
	if !ok {
		name = fmt.Sprintf("%U", r)
	}
	return string(openMark) + name + string(closeMark)
}

// markNames are the names of what people type or paste every day.
var markNames = map[rune]string{'\t': "tab", '\n': "newline", '\r': "return", '\u00A0': "no-break space"}
