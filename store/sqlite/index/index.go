// Package index makes the rows of a table searchable, with FTS5. Writes only mark a row
// as stale; the next search, or work in the background, indexes it. A search finds
// stale rows too. Start at Index.Match.
package index

import (
	"strings"

	"kota/store/search"
	"kota/store/sqlite"
)

// An Index makes the rows of one table searchable. It keeps, in tables named
// after that one, the terms of each row (_docs), all terms that occur
// (_terms), an FTS5 index from terms to rows (_words) and one from trigrams to
// terms (_grams). Rows whose column stale is 1 are not in it yet; Match takes
// them in.
type Index struct {
	Table   string
	Columns string                                            // those of the table that Load reads, the first is id
	Load    func(row sqlite.Scanner) (search.Document, error) // makes a document of them
	Meta    string                                            // five columns or constants for a candidate: name, updated, importance, pinned, uses
}

// sql fills the name of the table into a query that has {} in its place.
func (ix Index) sql(query string) string { return strings.ReplaceAll(query, "{}", ix.Table) }

// put indexes documents in place of what is indexed under their ids. Those
// that have not changed cost a look. Each FTS table is written in one go:
// every statement in between would make it flush.
func (ix Index) put(t *sqlite.Tx, docs []search.Document) error {
	counts := termCounts{}
	fresh := make([]search.Indexed, 0, len(docs))
	ids := make([]int64, 0, len(docs))
	for _, d := range docs {
		entry := d.Index()
		old, found, err := ix.entry(t, d.Id)
		if err != nil {
			return err
		}
		if found && old == entry {
			continue
		}
		if found {
			if err := ix.takeOut(t, d.Id, old, counts); err != nil {
				return err
			}
		}
		fresh, ids = append(fresh, entry), append(ids, d.Id)
		counts.add(entry, 1)
	}
	for i, e := range fresh {
		if _, err := t.Exec(ix.sql("INSERT INTO {}_docs (id, owner, key, labels, body, initials) VALUES (?, ?, ?, ?, ?, ?)"),
			ids[i], e.Owner, e.Key, e.Labels, e.Body, e.Initials); err != nil {
			return err
		}
	}
	for i, e := range fresh {
		if _, err := t.Exec(ix.sql("INSERT INTO {}_words (rowid, key, labels, body, initials) VALUES (?, ?, ?, ?, ?)"),
			ids[i], e.Key, e.Labels, e.Body, e.Initials); err != nil {
			return err
		}
	}
	return ix.count(t, counts)
}

// Remove takes documents out for good: no table of the index, and no page of
// its segments, has their text any more. Ids that are not indexed are none of
// its business.
func (ix Index) Remove(t *sqlite.Tx, ids []int64) error {
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
func (ix Index) entry(t *sqlite.Tx, id int64) (e search.Indexed, found bool, err error) {
	rows, err := t.Query(ix.sql("SELECT owner, key, labels, body, initials FROM {}_docs WHERE id = ?"), id)
	if err != nil {
		return search.Indexed{}, false, err
	}
	defer rows.Close()
	if rows.Next() {
		found = true
		if err := rows.Scan(&e.Owner, &e.Key, &e.Labels, &e.Body, &e.Initials); err != nil {
			return search.Indexed{}, false, err
		}
	}
	return e, found, rows.Err()
}

// takeOut removes a document from _words and _docs.
func (ix Index) takeOut(t *sqlite.Tx, id int64, old search.Indexed, counts termCounts) error {
	if _, err := t.Exec(ix.sql("INSERT INTO {}_words ({}_words, rowid, key, labels, body, initials) VALUES ('delete', ?, ?, ?, ?, ?)"),
		id, old.Key, old.Labels, old.Body, old.Initials); err != nil {
		return err
	}
	if _, err := t.Exec(ix.sql("DELETE FROM {}_docs WHERE id = ?"), id); err != nil {
		return err
	}
	counts.add(old, -1)
	return nil
}
