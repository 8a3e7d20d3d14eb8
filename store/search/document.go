package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Document is one row as the index sees it.
type Document struct {
	Id       int64
	Owner    string
	Key      string
	Category string
	Tags     []string
	Text     string // readable text, not JSON
}

// Index takes d apart.
func (d Document) Index() Indexed {
	key := chunks(d.Key)
	body := Terms(d.Text)
	return Indexed{
		Owner:    d.Owner,
		Key:      strings.Join(Terms(d.Key), " "),
		Labels:   strings.Join(Terms(strings.Join(append(slices.Clone(d.Tags), d.Category), " ")), " "),
		Body:     strings.Join(body[:min(len(body), longestBody)], " "),
		Initials: initials(key),
	}
}

// An Indexed is a document taken apart, as it is kept in _docs: its owner,
// and terms, parted by spaces.
type Indexed struct{ Owner, Key, Labels, Body, Initials string }

// Terms are those of all columns but the initials, which are no words.
func (e Indexed) Terms() map[string]bool {
	found := map[string]bool{}
	for _, column := range []string{e.Key, e.Labels, e.Body} {
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
