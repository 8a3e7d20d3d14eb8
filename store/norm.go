package store

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Normal returns the words of a key, folded and joined by one space, so that
// the spellings of one name are equal: "userName", "user_name", "User-Name"
// and "user.name" are all "user name". Compatibility forms are unified (NFKC).
// A key of separators alone has no words: "".
func Normal(key string) string {
	if !ascii(key) {
		key = norm.NFKC.String(key)
	}
	var b strings.Builder
	b.Grow(len(key) + 4)
	runes := []rune(key)
	for i, r := range runes {
		if isSeparator(r) {
			continue
		}
		if b.Len() > 0 && (isSeparator(runes[i-1]) || isHump(runes, i)) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	if ascii(b.String()) {
		return strings.ToLower(b.String())
	}
	return cases.Fold().String(b.String())
}

// NormalRange is the range from, inclusive, to, exclusive, of the Normal forms
// of keys that begin with a prefix; both are "" when that has no words. A
// separator at its end means that the word before it is whole.
func NormalRange(prefix string) (from, to string) {
	words := Normal(prefix)
	if words == "" {
		return "", ""
	}
	if last, _ := utf8.DecodeLastRuneInString(prefix); isSeparator(last) {
		return words, words + "!" // the character after the space between words
	}
	return words, words + "\U0010FFFF"
}

// CleanKey is the form in which a key is kept: trimmed, and composed (NFC) so
// that equal looks mean equal keys.
func CleanKey(key string) string {
	key = strings.TrimSpace(key)
	if ascii(key) {
		return key
	}
	return norm.NFC.String(key)
}

func isSeparator(r rune) bool {
	return r == '_' || r == '-' || r == '.' || r == '/' || r == ':' || unicode.IsSpace(r)
}

// isHump reports whether a word begins at i by its capital: N of userName, S of HTTPServer.
func isHump(runes []rune, i int) bool {
	if i == 0 || !unicode.IsUpper(runes[i]) {
		return false
	}
	if unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1]) {
		return true
	}
	return unicode.IsUpper(runes[i-1]) && i+1 < len(runes) && unicode.IsLower(runes[i+1])
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// FirstRunes returns the first n runes of s.
func FirstRunes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for at := range s {
		if n == 0 {
			return s[:at]
		}
		n--
	}
	return s
}
