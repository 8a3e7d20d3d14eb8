package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Document is one row of a database, in the form that Index splits into terms.
type Document struct {
	ID       int64
	Owner    string
	Key      string
	Category string
	Tags     []string
	Text     string // readable text, not JSON
}

// Index splits d into terms.
func (d Document) Index() IndexedDocument {
	key := chunks(d.Key)
	body := Terms(d.Text)
	return IndexedDocument{
		Owner:    d.Owner,
		Key:      strings.Join(Terms(d.Key), " "),
		Labels:   strings.Join(Terms(strings.Join(append(slices.Clone(d.Tags), d.Category), " ")), " "),
		Body:     strings.Join(body[:min(len(body), maxBodyTerms)], " "),
		Initials: initials(key),
	}
}

// An IndexedDocument is a document in the form of the index table, such as memories_docs. Except
// for Owner, each field holds terms, separated by spaces.
type IndexedDocument struct{ Owner, Key, Labels, Body, Initials string }

// Terms returns the terms of all columns except the initials, which are not words.
func (e IndexedDocument) Terms() map[string]bool {
	found := map[string]bool{}
	for _, column := range []string{e.Key, e.Labels, e.Body} {
		for term := range strings.FieldsSeq(column) {
			found[term] = true
		}
	}
	return found
}

// maxBodyTerms is the maximum number of terms in IndexedDocument.Body.
const maxBodyTerms = 20_000

// initials returns the first letters of the words of a key: "gsm" for "gmail send
// message". It returns "" for fewer than two words.
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
