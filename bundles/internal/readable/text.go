package readable

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"kota/bundles/internal/pattern"
)

// Text returns s as valid UTF-8 without characters that show nothing, and how
// many of those it dropped.
//
// Dropped are control characters but for \n and \t, soft hyphens, zero-width
// and bidirectional controls, tag characters (U+E0000-E0FFF), variation
// selectors, fillers, noncharacters, and every other format character that
// draws no glyph. Three kinds stay, for without them words change:
//
//   - U+FE0F directly after a character that can be an emoji,
//   - U+200D (ZWJ) between two emoji,
//   - U+200C and U+200D, one at a time, between two letters of a script that
//     joins them: Arabic and its kin (Persian, Urdu) and the Indic scripts.
//
// Flags of regions that are spelt with tag characters become a black flag.
// Invalid bytes become U+FFFD, one for each run; CR, CRLF and the Unicode line
// separators become \n. None of these count as dropped. The result is never
// longer than s in characters, and Text changes it no further.
func Text(s string) (clean string, dropped int) {
	if plain(s) {
		return s, 0
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	var b strings.Builder
	b.Grow(len(s))
	var last rune // the last one kept
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch {
		case r == '\r':
			if i < len(s) && s[i] == '\n' {
				continue
			}
			r = '\n'
		case r == 0x85 || r == 0x2028 || r == 0x2029:
			r = '\n'
		case shows(r):
		case !needed(last, r, s[i:]):
			dropped++
			continue
		}
		b.WriteRune(r)
		last = r
	}
	return b.String(), dropped
}

var folds = pattern.Of(`[ \n\t]*[\n\t][ \n\t]*`)

// Line is Text for a value of one line (a subject, a name, a file name): line
// breaks and tabs become one space, and space around it is trimmed.
func Line(s string) string {
	clean, _ := Text(s)
	return strings.TrimSpace(folds().ReplaceAllString(clean, " "))
}

// plain reports whether s holds nothing but ASCII that shows, as most text does.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// shows reports whether r is more than a hint to whoever draws the text. It is
// false for U+FE0F and the joiners, which stay in some places.
func shows(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return true
	case r < 0x80:
		return r >= ' ' && r != 0x7f
	}
	return !unicode.Is(invisible, r) || unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// needed reports whether a character that shows nothing itself changes what its
// neighbours show: last was kept before it, rest follows it.
func needed(last, r rune, rest string) bool {
	switch r {
	case 0xFE0F:
		return unicode.Is(emoji, last)
	case 0x200C, 0x200D:
		next, _ := utf8.DecodeRuneInString(rest)
		if unicode.In(last, joining...) && unicode.In(next, joining...) {
			return shows(last) && shows(next)
		}
		return r == 0x200D && unicode.Is(emoji, next) && (last == 0xFE0F || unicode.Is(emoji, last))
	}
	return false
}
