package convert

import (
	"strings"
	"unicode/utf8"
)

// PostgreSQL refuses NUL and invalid UTF-8 in text, and SQLite does not. So EscapeText writes them
// with a mark, the private character U+F8FF, and UnescapeText restores them. Both run on each string
// that goes to or comes from the database, also on those that a search compares:
//
//	NUL                 U+F8FF 0
//	U+F8FF              U+F8FF 1
//	an invalid byte     U+F8FF 2 and the character with the number of the byte
const mark = "\uf8ff"

// EscapeText returns the stored form of s.
func EscapeText(s string) string {
	if isPlain(s) {
		return s
	}
	b := strings.Builder{}
	b.Grow(len(s) + 8)
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(mark + "2")
			b.WriteRune(rune(s[0]))
		case r == 0:
			b.WriteString(mark + "0")
		case r == '\uf8ff':
			b.WriteString(mark + "1")
		default:
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	return b.String()
}

// isPlain reports whether s is its own stored form.
func isPlain(s string) bool {
	ascii := true
	for i := range len(s) {
		if s[i] == 0 {
			return false
		}
		ascii = ascii && s[i] < utf8.RuneSelf
	}
	return ascii || utf8.ValidString(s) && !strings.Contains(s, mark)
}

// UnescapeText returns the string whose stored form is s. It keeps a mark that EscapeText has not
// written.
func UnescapeText(s string) string {
	if !strings.Contains(s, mark) {
		return s
	}
	b := strings.Builder{}
	b.Grow(len(s))
	for {
		before, after, found := strings.Cut(s, mark)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		original, size := unescapeMark(after)
		b.WriteString(original)
		s = after[size:]
	}
}

// unescapeMark returns what a mark stands for, and how many bytes after it belong to it.
func unescapeMark(after string) (original string, size int) {
	switch {
	case strings.HasPrefix(after, "0"):
		return "\x00", 1
	case strings.HasPrefix(after, "1"):
		return mark, 1
	case strings.HasPrefix(after, "2"):
		if r, size := utf8.DecodeRuneInString(after[1:]); size > 0 && r <= 0xff {
			return string([]byte{byte(r)}), 1 + size
		}
	}
	return mark, 0
}
