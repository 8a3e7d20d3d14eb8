package sqlite

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A document is one row as the index sees it.
type document struct {
	id       int64
	owner    string
	key      string
	category string
	tags     []string
	text     string // readable text, not JSON
}

// entry takes d apart.
func (d document) entry() indexEntry {
	key := chunks(d.key)
	body := terms(d.text)
	return indexEntry{
		owner:    d.owner,
		key:      strings.Join(terms(d.key), " "),
		labels:   strings.Join(terms(strings.Join(append(slices.Clone(d.tags), d.category), " ")), " "),
		body:     strings.Join(body[:min(len(body), longestBody)], " "),
		initials: initials(key),
	}
}

// An indexEntry is a document taken apart, as it is kept in _docs: its owner,
// and terms, parted by spaces.
type indexEntry struct{ owner, key, labels, body, initials string }

// terms are those of all columns but the initials, which are no words.
func (e indexEntry) terms() map[string]bool {
	found := map[string]bool{}
	for _, column := range []string{e.key, e.labels, e.body} {
		for term := range strings.FieldsSeq(column) {
			found[term] = true
		}
	}
	return found
}

// longestBody bounds the terms that are indexed of one document's text.
const longestBody = 20_000

// initials returns the first letters of the words of a key, "gsm" for
// "gmail send message", and "" when it has fewer than two.
func initials(key []chunk) string {
	letters := []rune{}
	for _, c := range key {
		for _, part := range c.parts {
			if first, _ := utf8.DecodeRuneInString(part[0]); unicode.IsLetter(first) || unicode.IsNumber(first) {
				letters = append(letters, first)
			}
		}
	}
	if len(letters) < 2 {
		return ""
	}
	return shorten(string(letters))
}
