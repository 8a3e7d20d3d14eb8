package index

import (
	"bytes"
	"database/sql"
	"fmt"
	"maps"

	"kota/store"
	"kota/store/engine"
	"kota/store/search"
)

// compareBlocks compares the index of a table in PostgreSQL with its documents: their number, the
// number of documents of each term, and all lists.
func (ix Index) compareBlocks(t engine.Tx, owner any) error {
	columns, docs, err := ix.countColumns(t, owner)
	if err != nil {
		return err
	}
	stored := int64(0)
	if err := engine.Ignore(t.Row("SELECT docs FROM indexes WHERE owner = ? AND kind = ?", owner, ix.kinds().text).Scan(&stored), sql.ErrNoRows); err != nil {
		return err
	}
	if stored != docs {
		return fmt.Errorf("%w: the index counts %d documents of %s, and has %d", store.ErrCorrupt, stored, ix.Table, docs)
	}
	want, err := ix.wantedBlocks(t, owner, columns)
	if err != nil {
		return err
	}
	return ix.compareLists(t, owner, want)
}

// countColumns reads all documents of the index. It returns the columns of each term, by document,
// and the number of documents.
func (ix Index) countColumns(t engine.Tx, owner any) (map[vocabularyTerm]map[int64]uint8, int64, error) {
	rows, err := t.Query(ix.sql(`SELECT d.id, d.key, d.labels, d.body, d.initials, s.id IS NULL
		FROM docs d LEFT JOIN {} s ON s.owner = d.owner AND s.id = d.id WHERE d.owner = ? AND d.kind = ?`), owner, ix.kinds().text)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	found, docs := map[vocabularyTerm]map[int64]uint8{}, int64(0)
	for rows.Next() {
		e, id, orphan := search.IndexedDocument{}, int64(0), false
		if err := rows.Scan(&id, &e.Key, &e.Labels, &e.Body, &e.Initials, &orphan); err != nil {
			return nil, 0, err
		}
		if orphan {
			return nil, 0, fmt.Errorf("%w: the index has row %d of %s, which no longer exists", store.ErrCorrupt, id, ix.Table)
		}
		docs++
		for term, columns := range ix.columnsOfTerms(e) {
			if found[term] == nil {
				found[term] = map[int64]uint8{}
			}
			found[term][id] = columns
		}
	}
	return found, docs, rows.Err()
}

// wantedBlocks returns the blocks that documents need, after a check of their terms.
func (ix Index) wantedBlocks(t engine.Tx, owner any, columns map[vocabularyTerm]map[int64]uint8) (map[blockKey]block, error) {
	k := ix.kinds()
	rows, err := t.Query("SELECT kind, term, id, docs FROM terms WHERE owner = ? AND kind = ANY (?)", owner, engine.List[string]{k.text, k.initials})
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	want, terms := map[blockKey]block{}, 0
	for rows.Next() {
		term, id, docs := vocabularyTerm{}, int64(0), 0
		if err := rows.Scan(&term.kind, &term.term, &id, &docs); err != nil {
			return nil, err
		}
		terms++
		if docs != len(columns[term]) {
			return nil, fmt.Errorf("%w: the index counts %d documents of %s with a term, and has %d", store.ErrCorrupt, docs, ix.Table, len(columns[term]))
		}
		for doc, columns := range columns[term] {
			number, place := blockOf(doc)
			key := blockKey{k.text, id, number}
			want[key] = want[key].with(place, columns)
		}
		if term.kind != k.text {
			continue
		}
		number, place := blockOf(id)
		for _, gram := range gramsOf(term.term) {
			key := blockKey{k.grams, gram, number}
			want[key] = want[key].with(place, 1)
		}
	}
	if terms != len(columns) {
		return nil, fmt.Errorf("%w: the index of %s has %d terms, and its documents %d", store.ErrCorrupt, ix.Table, terms, len(columns))
	}
	return want, rows.Err()
}

// compareLists compares all lists of the index with the wanted ones.
func (ix Index) compareLists(t engine.Tx, owner any, want map[blockKey]block) error {
	k := ix.kinds()
	rows, err := t.Query("SELECT kind, term, block, n, list FROM blocks WHERE owner = ? AND kind = ANY (?)", owner, engine.List[string]{k.text, k.grams})
	if err != nil {
		return err
	}
	defer rows.Close()
	want = maps.Clone(want)
	for rows.Next() {
		key, n, list := blockKey{}, 0, []byte(nil)
		if err := rows.Scan(&key.kind, &key.term, &key.number, &n, &list); err != nil {
			return err
		}
		if !bytes.Equal(list, want[key]) || n != want[key].count() || n == 0 {
			return ix.errLists()
		}
		delete(want, key)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if len(want) > 0 {
		return ix.errLists()
	}
	return nil
}

func (ix Index) errLists() error {
	return fmt.Errorf("%w: the lists of the index of %s do not agree with its documents", store.ErrCorrupt, ix.Table)
}
