// Package index makes the rows of a table searchable, with FTS5. Writes only mark a row as stale;
// the next search, or background work, indexes it. A search also finds rows that cannot be
// indexed, up to a limit. Start at Index.Match.
package index

import (
	"strings"

	"kota/store/engine"
	"kota/store/search"
)

// An Index makes the rows of one table searchable. It stores its data in four tables named after
// that table:
//   - _docs: the terms of each row
//   - _terms: all terms
//   - _words: an FTS5 index from terms to rows
//   - _grams: an FTS5 index from trigrams to terms
//
// Rows with stale = 1 are not indexed yet; Match indexes them.
type Index struct {
	Table   string
	Columns string                                            // columns of the table that Load reads, id first
	Load    func(row engine.Scanner) (search.Document, error) // builds a document from these columns
	Meta    string                                            // five SQL expressions for a candidate: name, updated, importance, pinned, uses
}

// sql replaces {} in a query by the name of the table.
func (ix Index) sql(query string) string { return strings.ReplaceAll(query, "{}", ix.Table) }

// indexDocuments indexes documents, and replaces the index entries with the same ids. An
// unchanged document costs only a lookup. indexDocuments writes all rows of an FTS5 table one
// after another, because other statements in between would make FTS5 flush.
func (ix Index) indexDocuments(t engine.Tx, docs []search.Document) error {
	counts := termCounts{}
	entries := make([]search.IndexedDocument, 0, len(docs))
	ids := make([]int64, 0, len(docs))
	for _, d := range docs {
		entry := d.Index()
		old, found, err := ix.indexedEntry(t, d.ID)
		if err != nil {
			return err
		}
		if found && old == entry {
			continue
		}
		if found {
			if err := ix.removeDocument(t, d.ID, old, counts); err != nil {
				return err
			}
		}
		entries, ids = append(entries, entry), append(ids, d.ID)
		counts.add(entry, 1)
	}
	for i, e := range entries {
		if err := t.Exec(ix.sql("INSERT INTO {}_docs (id, owner, key, labels, body, initials) VALUES (?, ?, ?, ?, ?, ?)"),
			ids[i], e.Owner, e.Key, e.Labels, e.Body, e.Initials); err != nil {
			return err
		}
	}
	for i, e := range entries {
		if err := t.Exec(ix.sql("INSERT INTO {}_words (rowid, key, labels, body, initials) VALUES (?, ?, ?, ?, ?)"),
			ids[i], e.Key, e.Labels, e.Body, e.Initials); err != nil {
			return err
		}
	}
	return ix.applyCounts(t, counts)
}

// Remove removes documents from the index. No table of the index, and no page of its segments,
// contains their text afterwards. It ignores ids that are not indexed.
func (ix Index) Remove(t engine.Tx, ids []int64) error {
	counts := termCounts{}
	for _, id := range ids {
		old, found, err := ix.indexedEntry(t, id)
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		if err := ix.removeDocument(t, id, old, counts); err != nil {
			return err
		}
	}
	return ix.applyCounts(t, counts)
}

// indexedEntry returns the index entry of a document. found is false if there is none.
func (ix Index) indexedEntry(t engine.Tx, id int64) (e search.IndexedDocument, found bool, err error) {
	rows, err := t.Query(ix.sql("SELECT owner, key, labels, body, initials FROM {}_docs WHERE id = ?"), id)
	if err != nil {
		return search.IndexedDocument{}, false, err
	}
	defer rows.Close()
	if rows.Next() {
		found = true
		if err := rows.Scan(&e.Owner, &e.Key, &e.Labels, &e.Body, &e.Initials); err != nil {
			return search.IndexedDocument{}, false, err
		}
	}
	return e, found, rows.Err()
}

// removeDocument removes a document from _words and _docs, and subtracts its terms from counts.
func (ix Index) removeDocument(t engine.Tx, id int64, old search.IndexedDocument, counts termCounts) error {
	if err := t.Exec(ix.sql("INSERT INTO {}_words ({}_words, rowid, key, labels, body, initials) VALUES ('delete', ?, ?, ?, ?, ?)"),
		id, old.Key, old.Labels, old.Body, old.Initials); err != nil {
		return err
	}
	if err := t.Exec(ix.sql("DELETE FROM {}_docs WHERE id = ?"), id); err != nil {
		return err
	}
	counts.add(old, -1)
	return nil
}
