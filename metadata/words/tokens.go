// Package words reads words and names for KOTA. It splits texts into words, folds case and
// accents, stems English, and counts the typos between two words. Its functions are
// deterministic.
//
// Start reading at Split.
package words

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// maxWord is the maximum length of a word in runes. Longer runs of letters are data (base64,
// hashes), not words.
const maxWord = 40

// maxName is the maximum length of a name in camel case in runes. Each of its parts is a word.
const maxName = 200

// A Token is one word of a text.
type Token struct {
	Text     string   // without case and diacritics
	Parts    []string // "git" and "hub" for "GitHub", or the bigrams of an unspaced token; nil for other tokens
	Unspaced bool     // the token is text in a script without spaces, which may be several words
}

// Split splits text into words. It splits at every character that is not a letter, a digit or a
// mark, such as _ - . : and /. It also splits between scripts with and without spaces, and after
// the shortened French or Italian word before an apostrophe: "l'indirizzo" is two words. It omits
// all other apostrophes, and words of more than 40 characters in scripts with spaces, unless they
// are names in camel case. It normalises words to NFKC and removes case and diacritics. It returns
// at most limit tokens; limit < 1 means all tokens. Invalid UTF-8 separates words.
func Split(text string, limit int) []Token {
	if !norm.NFKC.IsNormalString(text) {
		text = norm.NFKC.String(text)
	}
	const meanWord = 6 // bytes, with the space after it
	count := len(text)/meanWord + 1
	if limit > 0 {
		count = min(count, limit)
	}
	tokens := make([]Token, 0, count)
	run := make([]rune, 0, maxWord)
	flush := func() {
		if len(run) > 0 {
			if t := newToken(run); t.Text != "" {
				tokens = append(tokens, t)
			}
		}
		run = run[:0]
	}
	for _, r := range text {
		if limit > 0 && len(tokens) >= limit {
			return tokens
		}
		switch {
		case r == '\'' || r == '’':
			// "don't" and "user's" are single words.
			if isElision(run) {
				flush()
			}
		case r == unicode.ReplacementChar || !isWordRune(r):
			flush()
		case len(run) > 0 && isUnspaced(r) != isUnspaced(run[len(run)-1]):
			flush()
			run = append(run, r)
		case isUnspaced(r) && len(run) == maxWord:
			// A sentence in such a script is one run, so Split cuts long runs.
			last := run[len(run)-1]
			flush()
			run = append(run, last, r)
		case len(run) <= maxName:
			run = append(run, r)
		}
	}
	flush()
	if limit > 0 && len(tokens) > limit {
		tokens = tokens[:limit]
	}
	return tokens
}

// elisions are words that end in an apostrophe before a vowel, in French and Italian.
var elisions = strings.Fields("c d j l m n s t qu jusqu lorsqu puisqu un all dall dell nell quell quest sull")

func isElision(run []rune) bool {
	const longest = 6
	return 0 < len(run) && len(run) <= longest && slices.Contains(elisions, strings.ToLower(string(run)))
}

// newToken returns the token of a run of letters, or the zero Token if the run is no word.
func newToken(run []rune) Token {
	if isUnspaced(run[0]) {
		return Token{Text: string(run), Parts: bigrams(run), Unspaced: true}
	}
	if !slices.ContainsFunc(run, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return Token{} // marks alone, such as the one that selects the colour of an emoji
	}
	t := Token{Text: Fold(string(run))}
	if slices.ContainsFunc(run[1:], unicode.IsUpper) {
		for _, piece := range camelPieces(run) {
			if part := Fold(piece); part != "" && utf8.RuneCountInString(part) <= maxWord {
				t.Parts = append(t.Parts, part)
			}
		}
	}
	isName := len(run) <= maxName && len(t.Parts) > 1
	if len(run) > maxWord && !isName {
		return Token{}
	}
	if !isName {
		t.Parts = nil
	}
	return t
}

func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// isUnspaced reports whether r belongs to a script without spaces between words, or to Hangul,
// where a particle follows its word without a space.
func isUnspaced(r rune) bool {
	// Unicode counts the long-vowel mark as common to all scripts, but it is a letter of kana.
	return r > unicode.MaxLatin1 && (r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

func bigrams(run []rune) []string {
	if len(run) == 1 {
		return []string{string(run)}
	}
	out := make([]string, 0, len(run)-1)
	for i := range len(run) - 1 {
		out = append(out, string(run[i:i+2]))
	}
	return out
}

// camelPieces splits "getHTTPStatus" into get, HTTP and Status.
func camelPieces(run []rune) []string {
	var pieces []string
	start := 0
	for i := 1; i < len(run); i++ {
		rises := unicode.IsUpper(run[i]) && !unicode.IsUpper(run[i-1])
		falls := i+1 < len(run) && unicode.IsUpper(run[i]) && unicode.IsLower(run[i+1])
		if rises || falls {
			pieces = append(pieces, string(run[start:i]))
			start = i
		}
	}
	return append(pieces, string(run[start:]))
}

// Fold removes case and diacritics: "Übersicht" and "ubersicht" are one word.
func Fold(word string) string {
	if isASCII(word) {
		return strings.ToLower(word)
	}
	word = cases.Fold().String(norm.NFKD.String(word))
	word = strings.Map(func(r rune) rune {
		// Remove only the combining marks of Latin, Greek and Cyrillic. In other scripts
		// (Devanagari, Arabic, kana), marks make different letters.
		if r >= 0x300 && r <= 0x36f {
			return -1
		}
		return r
	}, word)
	return norm.NFC.String(word)
}

// Stem returns the form that an English word shares with its inflections (Porter's second
// algorithm, "Snowball English"). It returns words with digits or in other alphabets
// unchanged.
func Stem(word string) string {
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return word
		}
	}
	return english.Stem(word, true)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// Key returns the letters and digits of a name, folded. All spellings of a name have the same
// key: memory_set, memorySet, "Memory set" and memory:set.
func Key(name string) string {
	return Fold(strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || !isWordRune(r) {
			return -1
		}
		return r
	}, norm.NFKC.String(name)))
}

// SplitName returns the parts of a name between separators, in lower case: memory and set for
// memory_set.
func SplitName(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}
