package index

import (
	"maps"
	"slices"
	"strings"

	"kota/store/engine"
	"kota/store/search"
)

// In PostgreSQL an index has:
//   - a row in indexes: the number of documents, and the last number of a term
//   - docs: the terms of each row
//   - terms: all terms, and under a kind of their own all initials
//   - blocks: from terms to rows, and under a kind of its own from trigrams to terms
//
// Writes to an index hold the lock of the owner's row in heads, like all writes.

// kinds are the kinds of an index in these tables.
type kinds struct{ text, initials, grams string }

var kindsOf = map[string]kinds{
	"memories":  {"m", "M", "x"},
	"entries":   {"e", "E", "y"},
	"documents": {"d", "D", "z"},
}

func (ix Index) kinds() kinds { return kindsOf[ix.Table] }

// A vocabularyTerm identifies a row of terms.
type vocabularyTerm struct{ kind, term string }

// columnsOfTerms returns the columns in which each term and the initials of a document occur.
func (ix Index) columnsOfTerms(e search.IndexedDocument) map[vocabularyTerm]uint8 {
	found := map[vocabularyTerm]uint8{}
	add := func(kind, text string, column uint8) {
		for term := range strings.FieldsSeq(text) {
			found[vocabularyTerm{kind, term}] |= column
		}
	}
	k := ix.kinds()
	add(k.text, e.Key, inKeyColumn)
	add(k.text, e.Labels, inLabelsColumn)
	add(k.text, e.Body, inBodyColumn)
	add(k.initials, e.Initials, inInitialsColumn)
	return found
}

// storedDocs is what an index has about some documents.
type storedDocs struct {
	docs, lastTerm int64 // of the index
	entries        map[int64]search.IndexedDocument
}

// storedDocs reads the index entries of documents. They have no owner.
func (ix Index) storedDocs(t engine.Tx, owner any, ids []int64) (storedDocs, error) {
	stored := storedDocs{entries: map[int64]search.IndexedDocument{}}
	rows, err := t.QueryFixed(`
		SELECT i.docs, i.last_term, coalesce(d.id, 0), d.id IS NOT NULL, coalesce(d.key, ''), coalesce(d.labels, ''), coalesce(d.body, ''), coalesce(d.initials, '')
		FROM indexes i LEFT JOIN docs d ON d.owner = i.owner AND d.kind = i.kind AND d.id = ANY (?3)
		WHERE i.owner = ?1 AND i.kind = ?2`, owner, ix.kinds().text, engine.List[int64](ids))
	if err != nil {
		return stored, err
	}
	defer rows.Close()
	for rows.Next() {
		e, id, found := search.IndexedDocument{}, int64(0), false
		if err := rows.Scan(&stored.docs, &stored.lastTerm, &id, &found, &e.Key, &e.Labels, &e.Body, &e.Initials); err != nil {
			return stored, err
		}
		if found {
			stored.entries[id] = e
		}
	}
	return stored, rows.Err()
}

// indexBlocks indexes documents, and replaces the index entries with the same ids.
func (ix Index) indexBlocks(t engine.Tx, owner any, docs []search.Document) error {
	if len(docs) == 0 {
		return nil
	}
	ids := make([]int64, len(docs))
	for i, d := range docs {
		ids[i] = d.ID
	}
	if err := t.Exec("INSERT INTO indexes (owner, kind) VALUES (?, ?) ON CONFLICT DO NOTHING", owner, ix.kinds().text); err != nil {
		return err
	}
	stored, err := ix.storedDocs(t, owner, ids)
	if err != nil {
		return err
	}
	c := newBlockChange(ix, owner, stored)
	changed := docRows{}
	for _, d := range docs {
		entry := d.Index()
		entry.Owner = ""
		old, found := stored.entries[d.ID]
		if found && old == entry {
			continue
		}
		c.replace(d.ID, ix.columnsOfTerms(old), ix.columnsOfTerms(entry))
		if !found {
			c.docs++
		}
		changed.add(d.ID, entry)
	}
	if len(changed.ids) == 0 {
		return nil
	}
	err = t.Exec(`
		INSERT INTO docs (owner, kind, id, key, labels, body, initials)
		SELECT ?1::bigint, ?2::text, id, key, labels, body, initials
		FROM unnest(?3::bigint[], ?4::text[], ?5::text[], ?6::text[], ?7::text[]) AS new (id, key, labels, body, initials)
		ON CONFLICT (owner, kind, id) DO UPDATE
		SET key = excluded.key, labels = excluded.labels, body = excluded.body, initials = excluded.initials`,
		owner, ix.kinds().text, engine.List[int64](changed.ids), changed.keys, changed.labels, changed.bodies, changed.initials)
	if err != nil {
		return err
	}
	return c.apply(t)
}

// docRows are rows of docs, as one list for each column.
type docRows struct {
	ids                            []int64
	keys, labels, bodies, initials []string
}

func (d *docRows) add(id int64, e search.IndexedDocument) {
	d.ids, d.keys, d.labels = append(d.ids, id), append(d.keys, e.Key), append(d.labels, e.Labels)
	d.bodies, d.initials = append(d.bodies, e.Body), append(d.initials, e.Initials)
}

// removeBlocks removes documents from the index.
func (ix Index) removeBlocks(t engine.Tx, owner any, ids []int64) error {
	stored, err := ix.storedDocs(t, owner, ids)
	if err != nil || len(stored.entries) == 0 {
		return err
	}
	c := newBlockChange(ix, owner, stored)
	for _, id := range slices.Sorted(maps.Keys(stored.entries)) {
		c.replace(id, ix.columnsOfTerms(stored.entries[id]), nil)
		c.docs--
	}
	if err := t.Exec("DELETE FROM docs WHERE owner = ? AND kind = ? AND id = ANY (?)", owner, ix.kinds().text, engine.List[int64](ids)); err != nil {
		return err
	}
	return c.apply(t)
}

// discardBlocks empties the index, marks all rows of its table as stale, and stores their number in
// rows.
func (ix Index) discardBlocks(t engine.Tx, owner any, rows *int) error {
	k := ix.kinds()
	all := engine.List[string]{k.text, k.initials, k.grams}
	for _, table := range []string{"indexes", "docs", "terms", "blocks"} {
		if err := t.Exec("DELETE FROM "+table+" WHERE owner = ? AND kind = ANY (?)", owner, all); err != nil {
			return err
		}
	}
	if err := t.Exec(ix.sql("UPDATE {} SET stale = 1 WHERE owner = ? AND stale = 0"), owner); err != nil {
		return err
	}
	return t.Row(ix.sql("SELECT count(*) FROM {} WHERE owner = ?"), owner).Scan(rows)
}
