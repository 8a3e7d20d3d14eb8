package htmltext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"kota/bundles/internal/lazyregexp"
)

// Text returns s as valid UTF-8 without invisible characters, and how many of
// them it dropped.
//
// It drops control characters except \n and \t, and format characters: soft
// hyphens, zero-width and bidirectional controls, and all others that draw no
// glyph. It also drops variation selectors, tag characters and all others in
// U+E0000-E0FFF, fillers, the empty Braille pattern (U+2800) and noncharacters.
// It keeps the characters that change a word or a picture:
//
//   - U+FE0F directly after a character that can be an emoji; after a digit, #
//     or * only in a keycap,
//   - U+200D (ZWJ) between two emoji,
//   - U+200C and U+200D, one at a time, between two letters of a script that
//     joins them: Arabic script (also Persian, Urdu) and the Indic scripts,
//   - one selector of U+FE00-FE02 or U+E0100-E012F directly after a Han character,
//     which chooses among its forms (UTS #37),
//   - exactly the flags of England, Scotland and Wales: the only ones spelt in
//     tags that Unicode recommends (UTS #51). Any other becomes a black flag.
//
// A character written as a reference of HTML (&#x200B; &zwnj; &amp;#8203;)
// counts as the character, however often it must be decoded.
// Invalid bytes become U+FFFD, one for each run; CR, CRLF and the Unicode line
// separators become \n. None of these changes counts as dropped. The result
// never has more characters than s. A second call of Text would not change it.
func Text(s string) (clean string, dropped int) {
	if isPlainASCII(s) {
		return s, 0
	}
	clean, dropped = dropInvisible(s)
	if !strings.Contains(clean, "&") {
		return clean, dropped
	}
	without, more := dropInvisibleReferences(clean)
	if more == 0 {
		return clean, dropped
	}
	// A selector may have followed a digit that is now gone.
	clean, orphans := dropInvisible(without)
	return clean, dropped + more + orphans
}

// dropInvisible is Text without the handling of references.
func dropInvisible(s string) (clean string, dropped int) {
	s = strings.ToValidUTF8(s, "\uFFFD")
	var b strings.Builder
	b.Grow(len(s))
	var last rune // the last character kept
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch {
		case r == blackFlag:
			tags := flagTags(s[i:])
			b.WriteRune(r)
			b.WriteString(tags)
			i += len(tags)
			last = r
			continue
		case r == '\r':
			if i < len(s) && s[i] == '\n' {
				continue
			}
			r = '\n'
		case r == 0x85 || r == 0x2028 || r == 0x2029:
			r = '\n'
		case isVisible(r):
		case !isNeeded(last, r, s[i:]):
			dropped++
			continue
		}
		b.WriteRune(r)
		last = r
	}
	return b.String(), dropped
}

var folds = lazyregexp.New(`[ \n\t]*[\n\t][ \n\t]*`)

// Line is Text for a value of one line: a subject, a name, a file name. Line
// breaks and tabs become one space, and space at both ends is removed.
func Line(s string) string {
	clean, _ := Text(s)
	return strings.TrimSpace(folds().ReplaceAllString(clean, " "))
}

// isPlainASCII reports whether s is visible ASCII, spaces, tabs and newlines
// without ampersands, as most text is. Text never changes such an s.
func isPlainASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x7f || c == '&' || c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// isVisible reports whether r is visible by itself. It returns false for characters
// that are kept only in some places.
func isVisible(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return true
	case r < 0x80:
		return r >= ' ' && r != 0x7f
	}
	return !unicode.Is(invisible, r) || unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// isNeeded reports whether an invisible character changes how its neighbours
// look. last is the character kept before it, and rest is the text after it.
func isNeeded(last, r rune, rest string) bool {
	switch r {
	case 0xFE0F:
		return isPicture(last) || unicode.Is(emoji, last) && strings.HasPrefix(rest, keycap)
	case 0x200C, 0x200D:
		next, _ := utf8.DecodeRuneInString(rest)
		if unicode.In(last, joiningScripts...) && unicode.In(next, joiningScripts...) {
			return isVisible(last) && isVisible(next)
		}
		return r == 0x200D && isPicture(next) && (last == 0xFE0F || isPicture(last))
	}
	return unicode.Is(hanForms, r) && unicode.Is(unicode.Han, last)
}

// isPicture reports whether r can be an emoji by itself, unlike a digit.
func isPicture(r rune) bool { return r > 0x7f && unicode.Is(emoji, r) }

// flagTags returns the tags at the start of s that make a black flag one of
// three flags, or "".
func flagTags(s string) string {
	for _, tags := range flagTagSequences {
		if strings.HasPrefix(s, tags) {
			return tags
		}
	}
	return ""
}
