package search

import (
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxTermRunes is the maximum length of a term. Longer words are found by their beginning.
const maxTermRunes = 40

// A chunk holds the terms of the text between two spaces. Ideographs and pictographs in that text
// have chunks of their own. For example, "homeAddress" has the parts "home" and "address" and the
// joined spelling "homeaddress". The chunk "C++" has the part "c" and the literal "c++".
type chunk struct {
	parts   [][]string // each word with its other spellings: {"muller", "mueller"}
	joined  []string   // all parts as one word, if there are two to four
	literal []string   // the chunk with its symbols, if they matter
	single  []string   // characters of a script without spaces, only for the index
	capital bool       // the chunk begins with a capital letter, as a name does
	symbol  bool       // the chunk has neither a letter nor a digit
	pairs   bool       // the parts are pairs of ideographs; some pairs span two words
}

// Terms returns every term of text, each once, in order of appearance.
func Terms(text string) []string {
	found := []string{}
	seen := map[string]bool{}
	for _, c := range chunks(text) {
		for term := range c.terms() {
			if term != "" && !seen[term] {
				seen[term] = true
				found = append(found, term)
			}
		}
	}
	return found
}

// terms returns the terms of c for the index, in order of appearance.
func (c chunk) terms() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, spellings := range slices.Concat(c.parts, [][]string{c.joined, c.literal, c.single}) {
			for _, term := range spellings {
				if !yield(term) {
					return
				}
			}
		}
	}
}

// chunks splits text into its chunks. It converts text to NFKC and removes invisible format
// characters. It replaces characters below U+0020, except white space, with their pictures,
// because SQLite would end the text at a NUL.
func chunks(text string) []chunk {
	if !isASCII(text) {
		text = norm.NFKC.String(strings.ToValidUTF8(text, "\uFFFD"))
	}
	if strings.IndexFunc(text, isInvisible) >= 0 {
		text = strings.Map(controlPicture, text)
	}
	found := []chunk{}
	for field := range strings.FieldsFuncSeq(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		found = appendChunks(found, field)
	}
	return found
}

func isInvisible(r rune) bool { return r < ' ' && !unicode.IsSpace(r) }

func controlPicture(r rune) rune {
	if isInvisible(r) {
		return r + '␀'
	}
	return r
}

// appendChunks splits a field without spaces: into words at punctuation, case and digit
// boundaries, ideographs into pairs, and pictographs one by one.
func appendChunks(found []chunk, field string) []chunk {
	words := chunk{capital: beginsWithCapital(field)}
	joined := strings.Builder{}
	runs := 0
	word, ideographs := []rune{}, []rune{}
	apostrophe := false // an apostrophe is directly before word

	endWord := func(next rune) {
		if len(word) == 0 {
			return
		}
		runs++
		joined.WriteString(fold(string(word)))
		// The s of "dentist's" and the l of "l'école" have no meaning alone.
		if len(word) > 1 || !apostrophe && !isApostrophe(next) {
			words.parts = append(words.parts, spellings(string(word)))
		}
		word, apostrophe = word[:0], false
	}
	endIdeographs := func() {
		if len(ideographs) > 0 {
			found = append(found, pairs(ideographs))
		}
		ideographs = ideographs[:0]
	}

	previous, size := rune(0), 0
	for at, r := range field {
		size = utf8.RuneLen(r)
		switch {
		case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r):
			continue
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) || r == 'ー':
			endWord(r)
			ideographs = append(ideographs, r)
		case unicode.Is(unicode.So, r):
			endWord(r)
			endIdeographs()
			found = append(found, chunk{parts: [][]string{{string(r)}}})
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r):
			endIdeographs()
			next, _ := utf8.DecodeRuneInString(field[at+size:])
			if len(word) > 0 && wordBoundary(previous, r, next) {
				endWord(r)
			}
			word = append(word, r)
		default:
			endWord(r)
			endIdeographs()
			apostrophe = isApostrophe(r)
		}
		previous = r
	}
	endWord(0)
	endIdeographs()

	if runs > 1 && runs <= 4 && joined.Len() <= maxTermRunes {
		words.joined = []string{joined.String()}
	}
	trimmed := strings.Trim(field, ".,;:!?…\"'`()[]{}<>“”‘’«»„‚。，、！？；：（）「」『』")
	if strings.ContainsAny(trimmed, "+#@*&$%=~^|\\€£¥") && runs > 0 {
		words.literal = literals(fold(trimmed))
	}
	if len(words.parts) == 0 && len(words.joined) > 0 { // d'l'
		words.parts, words.joined = [][]string{words.joined}, nil
	}
	if len(words.parts) > 0 {
		return append(found, words)
	}
	if len(found) == 0 || runs == 0 && onlySymbols(field) {
		return append(found, chunk{parts: [][]string{{shorten(fold(field))}}, symbol: true})
	}
	return found
}

// literals returns the field itself, with its symbols. For a field like "c++20" it also returns
// the name "c++".
func literals(field string) []string {
	found := []string{shorten(field)}
	if name := languageName().FindString(field); name != "" && name != field {
		found = append(found, name)
	}
	return found
}

var languageName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\pL{1,8}(\+\+|#)`) })

// onlySymbols reports whether field has no letter, number, mark or pictograph.
func onlySymbols(field string) bool {
	return strings.IndexFunc(field, func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || unicode.Is(unicode.So, r)
	}) < 0
}

func beginsWithCapital(field string) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(field, unicode.IsPunct))
	return unicode.IsUpper(first)
}

// wordBoundary reports whether a new word starts at r: fooBar, HTTPServer, room12, 12th.
func wordBoundary(previous, r, next rune) bool {
	if unicode.IsNumber(previous) != unicode.IsNumber(r) {
		return !unicode.IsMark(r)
	}
	if !unicode.IsUpper(r) {
		return false
	}
	return unicode.IsLower(previous) || unicode.IsUpper(previous) && unicode.IsLower(next)
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' }

// pairs returns the chunk of a run of ideographs. Every two consecutive ideographs are a term,
// because nothing marks the beginning of words.
func pairs(run []rune) chunk {
	text := []rune(fold(string(run)))
	if len(text) < 2 {
		return chunk{parts: [][]string{{string(text)}}}
	}
	c := chunk{pairs: true}
	for i, r := range text {
		c.single = append(c.single, string(r))
		if i > 0 {
			c.parts = append(c.parts, []string{string(text[i-1 : i+1])})
		}
	}
	return c
}

// spellings returns word folded, and also with written-out umlauts if it has any: Müller
// gives muller and mueller.
func spellings(word string) []string {
	folded := shorten(fold(word))
	if isASCII(word) {
		return []string{folded}
	}
	written := shorten(fold(umlautSpelling.Replace(word)))
	if written == folded {
		return []string{folded}
	}
	return []string{folded, written}
}

var umlautSpelling = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue", "å", "aa", "Å", "Aa", "ø", "oe", "Ø", "Oe")

var withoutDecomposition = strings.NewReplacer("ß", "ss", "ø", "o", "ł", "l", "æ", "ae", "œ", "oe", "đ", "d", "ð", "d", "þ", "th", "ı", "i", "ς", "σ")

// fold returns s in lower case without diacritics, in NFC.
func fold(s string) string {
	s = strings.ToLower(s)
	if isASCII(s) {
		return s
	}
	bare := strings.Map(func(r rune) rune {
		if isDiacritic(r) || unicode.Is(unicode.Cf, r) || unicode.IsControl(r) || unicode.Is(unicode.Variation_Selector, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(s))
	return norm.NFC.String(withoutDecomposition.Replace(bare))
}

// isDiacritic reports whether r is a mark that people often omit: an accent, a Hebrew point or an
// Arabic vowel. Japanese voicing marks are not included, because か and が differ.
func isDiacritic(r rune) bool {
	return r >= 0x300 && r <= 0x36f || r >= 0x591 && r <= 0x5c7 || r >= 0x64b && r <= 0x65f
}

// shorten cuts term to maxTermRunes runes.
func shorten(term string) string {
	if len(term) <= maxTermRunes {
		return term
	}
	count := 0
	for at := range term {
		if count == maxTermRunes {
			return term[:at]
		}
		count++
	}
	return term
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
