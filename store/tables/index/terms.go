package index

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"kota/store/engine"
	"kota/store/search"
)

// termCounts maps a term to the change in its number of documents. The empty term counts all
// documents.
type termCounts map[string]int

func (c termCounts) add(e search.IndexedDocument, by int) {
	c[""] += by
	for term := range e.Terms() {
		c[term] += by
	}
}

// A knownTerm is a row of the table _terms: a term and the number of documents
// that contain it.
type knownTerm struct {
	id   int64
	term string
	docs int
}

// applyCounts applies the changes to _terms, and to _grams for terms that appear or disappear.
func (ix Index) applyCounts(t engine.Tx, changes termCounts) error {
	changed := make([]string, 0, len(changes))
	for term, by := range changes {
		if by != 0 {
			changed = append(changed, term)
		}
	}
	slices.Sort(changed) // terms that sort together are on the same pages
	known, err := ix.knownTerms(t, changed)
	if err != nil {
		return err
	}
	added, removed := []knownTerm{}, []knownTerm{}
	for _, term := range changed {
		k, by := known[term], changes[term]
		switch {
		case k.id == 0:
			k.term = term
			if k.id, err = ix.newTerm(t, term, by); err == nil && term != "" {
				added = append(added, k)
			}
		case k.docs+by <= 0 && term != "":
			removed = append(removed, k)
			err = t.Exec(ix.sql("DELETE FROM {}_terms WHERE id = ?"), k.id)
		default:
			err = t.Exec(ix.sql("UPDATE {}_terms SET docs = docs + ? WHERE id = ?"), by, k.id)
		}
		if err != nil {
			return fmt.Errorf("count term: %w", err)
		}
	}
	for _, k := range added {
		if err := t.Exec(ix.sql("INSERT INTO {}_grams (rowid, term) VALUES (?, ?)"), k.id, k.term); err != nil {
			return err
		}
	}
	for _, k := range removed {
		if err := t.Exec(ix.sql("INSERT INTO {}_grams ({}_grams, rowid, term) VALUES ('delete', ?, ?)"), k.id, k.term); err != nil {
			return err
		}
	}
	return nil
}

// knownTerms returns the rows of _terms for the given terms. It omits terms without a row.
func (ix Index) knownTerms(t engine.Tx, terms []string) (map[string]knownTerm, error) {
	rows, err := t.Query(ix.sql("SELECT id, term, docs FROM {}_terms WHERE term IN (SELECT value FROM json_each(?))"), engine.JSONArray(terms))
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

// newTerm adds a term to _terms and returns its id.
func (ix Index) newTerm(t engine.Tx, term string, docs int) (int64, error) {
	return t.Insert(ix.sql("{}_terms"), ix.sql("INSERT INTO {}_terms (id, term, back, size, stem, docs) VALUES (?, ?, ?, ?, ?, ?)"),
		term, search.Reverse(term), utf8.RuneCountInString(term), search.Stem(term), docs)
}
