package store

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// An index makes the rows of one table searchable. It keeps, in tables named
// after that one, the terms of each row (_docs), all terms that occur
// (_terms), an FTS5 index from terms to rows (_words) and one from trigrams to
// terms (_grams). Rows whose column stale is 1 are not in it yet; drain takes
// them in.
type index struct {
	table   string
	columns string                              // those of the table that load reads, the first is id
	load    func(row scanner) (document, error) // makes a document of them
	meta    string                              // five columns or constants for candidate: name, updated, importance, pinned, uses
}

// A document is one row as the index sees it.
type document struct {
	id       int64
	key      string
	category string
	tags     []string
	text     string // readable text, not JSON
}

// An indexEntry is a document taken apart, as it is kept in _docs. Terms are parted
// by spaces.
type indexEntry struct{ key, labels, body, initials string }

// longestBody bounds the terms that are indexed of one document's text.
const longestBody = 20_000

// entry takes d apart.
func (d document) entry() indexEntry {
	key := chunks(d.key)
	body := terms(d.text)
	return indexEntry{
		key:      strings.Join(terms(d.key), " "),
		labels:   strings.Join(terms(strings.Join(append(slices.Clone(d.tags), d.category), " ")), " "),
		body:     strings.Join(body[:min(len(body), longestBody)], " "),
		initials: initials(key),
	}
}

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

// sql fills the name of the table into a query that has {} in its place.
func (ix index) sql(query string) string { return strings.ReplaceAll(query, "{}", ix.table) }

// put indexes documents in place of what is indexed under their ids. Those
// that have not changed cost a look. Each FTS table is written in one go:
// every statement in between would make it flush.
func (ix index) put(t *tx, docs []document) error {
	counts := termCounts{}
	fresh := make([]indexEntry, 0, len(docs))
	ids := make([]int64, 0, len(docs))
	for _, d := range docs {
		entry := d.entry()
		old, found, err := ix.entry(t, d.id)
		if err != nil {
			return err
		}
		if found && old == entry {
			continue
		}
		if found {
			if err := ix.takeOut(t, d.id, old, counts); err != nil {
				return err
			}
		}
		fresh, ids = append(fresh, entry), append(ids, d.id)
		counts.add(entry, 1)
	}
	for _, table := range []string{"INSERT INTO {}_docs (id, key, labels, body, initials) VALUES (?, ?, ?, ?, ?)",
		"INSERT INTO {}_words (rowid, key, labels, body, initials) VALUES (?, ?, ?, ?, ?)"} {
		for i, e := range fresh {
			if _, err := t.exec(ix.sql(table), ids[i], e.key, e.labels, e.body, e.initials); err != nil {
				return err
			}
		}
	}
	return ix.count(t, counts)
}

// remove takes documents out for good: no table of the index, and no page of
// its segments, has their text any more. Ids that are not indexed are none of
// its business.
func (ix index) remove(t *tx, ids []int64) error {
	counts := termCounts{}
	for _, id := range ids {
		old, found, err := ix.entry(t, id)
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		if err := ix.takeOut(t, id, old, counts); err != nil {
			return err
		}
	}
	return ix.count(t, counts)
}

// entry returns what is indexed of a document.
func (ix index) entry(t *tx, id int64) (e indexEntry, found bool, err error) {
	rows, err := t.query(ix.sql("SELECT key, labels, body, initials FROM {}_docs WHERE id = ?"), id)
	if err != nil {
		return indexEntry{}, false, err
	}
	defer rows.Close()
	if rows.Next() {
		found = true
		if err := rows.Scan(&e.key, &e.labels, &e.body, &e.initials); err != nil {
			return indexEntry{}, false, err
		}
	}
	return e, found, rows.Err()
}

// takeOut removes a document from _words and _docs.
func (ix index) takeOut(t *tx, id int64, old indexEntry, counts termCounts) error {
	if _, err := t.exec(ix.sql("INSERT INTO {}_words ({}_words, rowid, key, labels, body, initials) VALUES ('delete', ?, ?, ?, ?, ?)"),
		id, old.key, old.labels, old.body, old.initials); err != nil {
		return err
	}
	if _, err := t.exec(ix.sql("DELETE FROM {}_docs WHERE id = ?"), id); err != nil {
		return err
	}
	counts.add(old, -1)
	return nil
}

// termCounts says by how much the number of documents with a term changes.
// The empty term counts the documents themselves.
type termCounts map[string]int

func (c termCounts) add(e indexEntry, by int) {
	c[""] += by
	for term := range e.terms() {
		c[term] += by
	}
}

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

// A knownTerm is a row of _terms.
type knownTerm struct {
	id   int64
	term string
	docs int
}

// count applies the changes to _terms, and to _grams where a term comes or
// goes.
func (ix index) count(t *tx, changes termCounts) error {
	changed := make([]string, 0, len(changes))
	for term, by := range changes {
		if by != 0 {
			changed = append(changed, term)
		}
	}
	slices.Sort(changed) // neighbours share pages
	known, err := ix.known(t, changed)
	if err != nil {
		return err
	}
	come, gone := []knownTerm{}, []knownTerm{}
	for _, term := range changed {
		k, by := known[term], changes[term]
		switch {
		case k.id == 0:
			k.term = term
			if k.id, err = ix.newTerm(t, term, by); err == nil && term != "" {
				come = append(come, k)
			}
		case k.docs+by <= 0 && term != "":
			gone = append(gone, k)
			_, err = t.exec(ix.sql("DELETE FROM {}_terms WHERE id = ?"), k.id)
		default:
			_, err = t.exec(ix.sql("UPDATE {}_terms SET docs = docs + ? WHERE id = ?"), by, k.id)
		}
		if err != nil {
			return fmt.Errorf("count term: %w", err)
		}
	}
	for _, k := range come {
		if _, err := t.exec(ix.sql("INSERT INTO {}_grams (rowid, term) VALUES (?, ?)"), k.id, k.term); err != nil {
			return err
		}
	}
	for _, k := range gone {
		if _, err := t.exec(ix.sql("INSERT INTO {}_grams ({}_grams, rowid, term) VALUES ('delete', ?, ?)"), k.id, k.term); err != nil {
			return err
		}
	}
	return nil
}

// known reads the rows of those terms that have one.
func (ix index) known(t *tx, terms []string) (map[string]knownTerm, error) {
	rows, err := t.query(ix.sql("SELECT id, term, docs FROM {}_terms WHERE term IN (SELECT value FROM json_each(?))"), list(terms))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	known := make(map[string]knownTerm, len(terms))
	for rows.Next() {
		k := knownTerm{}
		if err := rows.Scan(&k.id, &k.term, &k.docs); err != nil {
			return nil, err
		}
		known[k.term] = k
	}
	return known, rows.Err()
}

// newTerm files a term that no document had.
func (ix index) newTerm(t *tx, term string, docs int) (int64, error) {
	added, err := t.exec(ix.sql("INSERT INTO {}_terms (term, back, size, stem, docs) VALUES (?, ?, ?, ?, ?)"),
		term, backwards(term), utf8.RuneCountInString(term), stem(term), docs)
	if err != nil {
		return 0, err
	}
	return added.LastInsertId()
}

func backwards(term string) string {
	runes := []rune(term)
	slices.Reverse(runes)
	return string(runes)
}

// stem returns what the inflections of an English word share (Porter2), British
// or American. Other words keep their form, but for endings that look English;
// that does no harm since queries are stemmed the same way.
func stem(term string) string {
	if len(term) < 3 || !isASCII(term) {
		return term
	}
	if len(term) > 5 {
		term = american.Replace(term)
	}
	return english.Stem(term, true)
}

// american turns what British spelling does otherwise: colour, theatre,
// organise. It need not be right, only the same for both spellings.
var american = strings.NewReplacer("our", "or", "tre", "ter", "ise", "ize", "isi", "izi", "isa", "iza", "yse", "yze", "ogue", "og", "ence", "ense")

// list is values as the JSON that json_each takes apart.
func list[T any](values []T) string {
	text, err := json.Marshal(values)
	if err != nil {
		panic("store: " + err.Error()) // numbers and texts always have a JSON form
	}
	return string(text)
}
