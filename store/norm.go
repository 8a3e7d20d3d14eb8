package store

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// NormalizeKey returns the words of a key, case-folded and joined by one space. Keys that differ
// only in how they separate and capitalize the same words give the same result: "userName",
// "user_name", "User-Name" and "user.name" become "user name". But "username" is one word.
// Compatibility forms are unified (NFKC). A key of only separators becomes "".
func NormalizeKey(key string) string {
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
		if b.Len() > 0 && (isSeparator(runes[i-1]) || isCamelBoundary(runes, i)) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	if ascii(b.String()) {
		return strings.ToLower(b.String())
	}
	return cases.Fold().String(b.String())
}

// NormalizedKeyRange returns the range of the normalized keys that start with
// NormalizeKey(prefix). from is included, to is not. Both are "" for a prefix without words. A
// separator at the end of prefix means that its last word is complete.
func NormalizedKeyRange(prefix string) (from, to string) {
	words := NormalizeKey(prefix)
	if words == "" {
		return "", ""
	}
	if last, _ := utf8.DecodeLastRuneInString(prefix); isSeparator(last) {
		return words, words + "!" // the character after the space between words
	}
	return words, words + "\U0010FFFF"
}

// DividedKeyRange returns the range of normalized keys that NormalizedKeyRange misses. The last
// capital of prefix starts a word if a small letter follows it in the key. For example,
// "HTTPServer" starts with "HTTPS", but its normalized key is "http server". Both are "" if
// NormalizedKeyRange misses none.
func DividedKeyRange(prefix string) (from, to string) {
	divided := strings.TrimSuffix(NormalizeKey(prefix+"x"), "x")
	if strings.HasPrefix(divided, NormalizeKey(prefix)) {
		return "", ""
	}
	return divided, divided + "\U0010FFFF"
}

// CleanKey returns the stored form of a key: trimmed and composed (NFC), so that keys that look
// equal are equal.
func CleanKey(key string) string {
	key = strings.TrimSpace(key)
	if ascii(key) {
		return key
	}
	return norm.NFC.String(key)
}

// MaxMemoryKey limits the key of a memory, and its normalized form. An index has both, and the
// entries of an index are limited in some databases, to 2,704 bytes in PostgreSQL.
const MaxMemoryKey = 1000 // bytes

// CheckKey returns ErrInvalid if a key is empty, or if it or its normalized form exceeds
// MaxMemoryKey. key is the result of CleanKey, and normalized that of NormalizeKey.
func CheckKey(key, normalized string) error {
	if key == "" {
		return fmt.Errorf("%w: the key is empty", ErrInvalid)
	}
	if size := max(len(key), len(normalized)); size > MaxMemoryKey {
		return fmt.Errorf("%w: the key has %d bytes; the limit is %d", ErrInvalid, size, MaxMemoryKey)
	}
	return nil
}

func isSeparator(r rune) bool {
	return r == '_' || r == '-' || r == '.' || r == '/' || r == ':' || unicode.IsSpace(r)
}

// isCamelBoundary reports whether a capital at i starts a word, such as N in userName and S in
// HTTPServer.
func isCamelBoundary(runes []rune, i int) bool {
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
