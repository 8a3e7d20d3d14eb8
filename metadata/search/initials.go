package search

import (
	"strings"
	"unicode/utf8"

	"github.com/sahilm/fuzzy"

	"kota/metadata/words"
)

// The limits of the length of an abbreviation, in runes.
const (
	minInitials = 2
	maxInitials = 12
)

// initials finds entries by abbreviations of their tool names.
type initials struct {
	names []string   // "gmail_send_message": words joined by _
	words [][]string // gmail, send, message
}

func newInitials(entries []Entry) initials {
	x := initials{names: make([]string, len(entries)), words: make([][]string, len(entries))}
	for i, e := range entries {
		for _, t := range words.Split(e.Tool, 0) {
			if len(t.Parts) > 0 && !t.Unspaced {
				x.words[i] = append(x.words[i], t.Parts...)
				continue
			}
			x.words[i] = append(x.words[i], t.Text)
		}
		x.names[i] = strings.Join(x.words[i], "_")
	}
	return x
}

// The scores of abbreviations. An unlikely abbreviation comes after nearly all hits by words.
const (
	scoreInitials = 0.86 // the query consists of beginnings of the name's words
	scoreLetters  = 0.02 // the name has the letters of the query in their order; also for any abbreviation if the query is a known word
	initialsRange = 0.03 // the maximum that the score of package fuzzy adds
)

// abbreviated returns the entries that a query of one word abbreviates: "gsm" and "gmsend"
// stand for gmail_send_message. A name gets a low score if it begins with the query's
// first letter and has the other letters in order, but not at the beginnings of words. If
// wordKnown is true, every hit gets the low score.
func (x nameIndex) abbreviated(query string, tokens []words.Token, wordKnown bool) []Hit {
	short := tokens[0].Text
	n := utf8.RuneCountInString(short)
	if len(tokens) != 1 || n < minInitials || n > maxInitials || words.Key(query) != short {
		return nil
	}
	var hits []Hit
	for _, m := range fuzzy.FindNoSort(short, x.initials.names) {
		name := x.initials.words[m.Index]
		if !strings.HasPrefix(name[0], firstRune(short)) {
			continue
		}
		score := scoreLetters
		if !wordKnown && abbreviates(short, name) {
			score = scoreInitials
		}
		// fuzzy's score has no limit; this keeps the order of the positive scores.
		if m.Score > 0 {
			score += initialsRange * (1 - 50/(50+float64(m.Score)))
		}
		hits = append(hits, Hit{Entry: m.Index, Score: score, MatchKind: MatchAbbreviation})
	}
	return hits
}

func firstRune(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return s[:n]
}

// abbreviates reports whether short consists of beginnings of the name's words, in order,
// starting with the first word. Later words may be left out. The length of short must be at most
// 63 bytes, and the name must have a word.
func abbreviates(short string, name []string) bool {
	// Bit n is set if the words so far can make the first n bytes of short.
	reached := uint64(0)
	for n := range commonPrefix(short, name[0]) {
		reached |= 1 << (n + 1)
	}
	for _, word := range name[1:] {
		next := reached
		for at := range len(short) {
			if reached&(1<<at) == 0 {
				continue
			}
			for n := range commonPrefix(short[at:], word) {
				next |= 1 << (at + n + 1)
			}
		}
		reached = next
	}
	return reached&(1<<len(short)) != 0
}

// commonPrefix returns the length of the common prefix in bytes.
func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
