package htmltext

import (
	"html"
	"strings"
	"unicode/utf8"

	"kota/bundles/internal/lazyregexp"
)

// reference matches an HTML character reference. Its ampersand may itself be
// written as a reference.
var reference = lazyregexp.New(`&(?:(?:(?i:amp)|#0*38|#[xX]0*26);?)*(?:#[0-9]+|#[xX][0-9a-fA-F]+|shy|[A-Za-z][A-Za-z0-9]{1,31});?`)

// maxDecodings limits how often a text is decoded: "&amp;shy;" must be decoded
// twice.
const maxDecodings = 8

// dropInvisibleReferences removes from s the character references to characters that Text
// drops, and returns how many there were. The rest of s must be clean.
// References to visible characters stay as written. A reference to a character
// that a word needs becomes that character.
//
// After that, a reference composed of others may still hide an invisible
// character. Then every ampersand is dropped and counted.
func dropInvisibleReferences(s string) (clean string, dropped int) {
	if html.UnescapeString(s) == s {
		return s, 0
	}
	for range maxDecodings {
		without, n := dropReferencesOnce(s)
		if s, dropped = without, dropped+n; n == 0 {
			break
		}
	}
	if hasInvisible(s) {
		dropped += strings.Count(s, "&")
		s = strings.ReplaceAll(s, "&", "")
	}
	return s, dropped
}

// dropReferencesOnce is one pass of dropInvisibleReferences. Its result may
// contain new references, composed of the remaining text.
func dropReferencesOnce(s string) (string, int) {
	var b strings.Builder
	dropped, from := 0, 0
	for _, at := range reference().FindAllStringIndex(s, -1) {
		text := unescaped(s[at[0]:at[1]])
		clean, n := dropInvisible(text)
		if n == 0 {
			continue
		}
		b.WriteString(s[from:at[0]] + clean)
		from = at[1]
		last, _ := utf8.DecodeLastRuneInString(s[:at[0]])
		if r, size := utf8.DecodeRuneInString(text); size == len(text) && isNeeded(last, r, s[from:]) {
			b.WriteRune(r)
		}
		dropped++
	}
	return b.String() + s[from:], dropped
}

// hasInvisible reports whether decoding s reveals something that Text would
// drop, or leaves references after maxDecodings.
func hasInvisible(s string) bool {
	text := unescaped(s)
	_, dropped := dropInvisible(text)
	return dropped > 0 || html.UnescapeString(text) != text
}

// unescaped decodes s until it contains no references, at most maxDecodings
// times.
func unescaped(s string) string {
	for range maxDecodings {
		decoded := html.UnescapeString(s)
		if decoded == s {
			break
		}
		s = decoded
	}
	return s
}
