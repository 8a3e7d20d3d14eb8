package index

import (
	"kota/store/engine"
	"kota/store/search"
)

// indexWords indexes documents in SQLite, and replaces the index entries with the same ids. An
// unchanged document costs only a lookup. indexWords writes all rows of an FTS5 table one
// after another, because other statements in between would make FTS5 flush.
func (ix Index) indexWords(t engine.Tx, docs []search.Document) error {
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

// removeWords removes documents from the index in SQLite. No table of the index, and no page of its
// segments, contains their text afterwards.
func (ix Index) removeWords(t engine.Tx, ids []int64) error {
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
