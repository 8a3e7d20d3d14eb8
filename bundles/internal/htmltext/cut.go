package htmltext

import (
	"strings"
	"unicode/utf8"
)

// Cut returns a part of s, the offset of the next part, and the number of
// characters in s. The part starts at offset and has at most limit characters.
// All numbers count characters (Unicode code points), not bytes.
//
// A part ends after a line break, or else a space, if there is one in its last
// quarter. next is 0 at the end. The concatenated parts are exactly s. A
// negative offset counts as 0. For an offset past the end, part is empty. A
// limit below 1 means no limit.
func Cut(s string, offset, limit int) (part string, next, total int) {
	total = utf8.RuneCountInString(s)
	offset = max(offset, 0)
	if offset >= total {
		return "", 0, total
	}
	s = s[byteLength(s, offset):]
	if limit < 1 || limit >= total-offset {
		return s, 0, total
	}
	end := byteLength(s, limit)
	earliest := byteLength(s, limit-limit/4)
	for _, boundary := range []string{"\n", " "} {
		if at := strings.LastIndex(s[earliest:end], boundary); at >= 0 {
			end = earliest + at + len(boundary)
			break
		}
	}
	return s[:end], offset + utf8.RuneCountInString(s[:end]), total
}

// byteLength returns how many bytes the first n characters of s take. s must have at
// least n characters.
func byteLength(s string, n int) int {
	at := 0
	for range n {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at
}

// First returns at most limit characters from the start of s. It does not read
// the rest of s.
func First(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	end := 0
	for range limit {
		_, size := utf8.DecodeRuneInString(s[end:])
		end += size
	}
	return s[:end]
}

// Short is Line for a list: it returns at most limit characters. If it cuts
// text off, the last character is an ellipsis.
func Short(s string, limit int) string {
	text := Line(s)
	if First(text, limit) == text {
		return text
	}
	return strings.TrimSpace(First(text, limit-1)) + "…"
}
