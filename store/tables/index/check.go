package index

import (
	"context"
	"fmt"
	"maps"
	"math"

	"kota/store"
	"kota/store/engine"
	"kota/store/search"
)

// checkPage is how many documents are compared at a time.
const checkPage = 500

// Check compares indexes with their tables. Each index must contain the current version of
// every row that is not stale, and no row that its table no longer has. The tables of the index
// must also agree with each other. Otherwise Check returns an error that matches ErrCorrupt;
// Rebuild repairs the index. Writes wait during most of the check: some seconds for 100,000
// memories.
func Check(ctx context.Context, db engine.DB, indexes ...Index) error {
	for _, ix := range indexes {
		if err := ix.check(ctx, db); err != nil {
			return fmt.Errorf("check index: %w", err)
		}
	}
	return nil
}

// CountStale returns how many rows are not indexed yet. The next searches index them,
// each at most maxIndexedFirst rows of an index.
func CountStale(ctx context.Context, db engine.DB, indexes ...Index) (int, error) {
	all := 0
	for _, ix := range indexes {
		n, read := 0, db.Read(ctx)
		where, args := ofOwner(read.Dialect(), db.Owner(""))
		if err := read.Aggregate(ix.sql("SELECT count(*) FROM {} WHERE "+where+"stale = 1"), args...).Scan(&n); err != nil {
			return 0, fmt.Errorf("count rows to index: %w", err)
		}
		all += n
	}
	return all, nil
}

func (ix Index) check(ctx context.Context, db engine.DB) error {
	owner := db.Owner("")
	if db.Dialect() == engine.Postgres {
		return db.Write(ctx, func(t engine.Tx) error {
			if err := ix.compare(t, owner); err != nil {
				return err
			}
			return ix.compareBlocks(t, owner)
		})
	}
	err := db.Write(ctx, func(t engine.Tx) error {
		for _, query := range []string{
			"INSERT INTO {}_words ({}_words, rank) VALUES ('integrity-check', 1)",
			"INSERT INTO {}_grams ({}_grams, rank) VALUES ('integrity-check', 1)",
		} {
			if err := t.Exec(ix.sql(query)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return db.Write(ctx, func(t engine.Tx) error {
		if err := ix.compare(t, owner); err != nil {
			return err
		}
		return ix.compareTerms(t)
	})
}

// compare checks every row that is not stale. It does so in one write
// transaction, so that nothing changes meanwhile.
func (ix Index) compare(t engine.Tx, owner any) error {
	for last := int64(math.MinInt64); ; {
		docs, err := ix.pageAfter(t, owner, last)
		if err != nil || len(docs) == 0 {
			return err
		}
		indexed, err := ix.indexedEntries(t, owner, docs)
		if err != nil {
			return err
		}
		for _, d := range docs {
			last = d.ID
			if entry, found := indexed[d.ID]; !found || entry != d.Index() {
				return fmt.Errorf("%w: the index of %s %d is out of date", store.ErrCorrupt, ix.Table, d.ID)
			}
		}
	}
}

// pageAfter returns the next checkPage rows with ids above last that are not stale.
func (ix Index) pageAfter(t engine.Tx, owner any, last int64) ([]search.Document, error) {
	where, args := ofOwner(t.Dialect(), owner)
	rows, err := t.Query(ix.sql("SELECT "+ix.Columns+" FROM {} WHERE "+where+"id > ? AND stale = 0 ORDER BY id LIMIT ?"), append(args, last, checkPage)...)
	if err != nil {
		return nil, err
	}
	return ix.documents(rows)
}

// indexedEntries returns the index entries of documents, by id.
func (ix Index) indexedEntries(t engine.Tx, owner any, docs []search.Document) (map[int64]search.IndexedDocument, error) {
	if t.Dialect() == engine.Postgres {
		ids := make([]int64, len(docs))
		for i, d := range docs {
			ids[i] = d.ID
		}
		stored, err := ix.storedDocs(t, owner, ids)
		if err != nil {
			return nil, err
		}
		for id, e := range stored.entries {
			e.Owner = docs[0].Owner // the query has no others
			stored.entries[id] = e
		}
		return stored.entries, nil
	}
	entries := map[int64]search.IndexedDocument{}
	for _, d := range docs {
		entry, found, err := ix.indexedEntry(t, d.ID)
		if err != nil {
			return nil, err
		}
		if found {
			entries[d.ID] = entry
		}
	}
	return entries, nil
}

// compareTerms counts, in SQLite, the terms of all documents again, and compares the counts with _terms.
func (ix Index) compareTerms(t engine.Tx) error {
	counted := termCounts{}
	rows, err := t.Query(ix.sql("SELECT d.id, d.key, d.labels, d.body, s.id IS NULL FROM {}_docs d LEFT JOIN {} s ON s.id = d.id"))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		e, id, orphan := search.IndexedDocument{}, int64(0), false
		if err := rows.Scan(&id, &e.Key, &e.Labels, &e.Body, &orphan); err != nil {
			return err
		}
		if orphan {
			return fmt.Errorf("%w: the index has row %d of %s, which no longer exists", store.ErrCorrupt, id, ix.Table)
		}
		counted.add(e, 1)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	stored := termCounts{}
	terms, err := t.Query(ix.sql("SELECT term, docs FROM {}_terms WHERE docs <> 0"))
	if err != nil {
		return err
	}
	defer terms.Close()
	for terms.Next() {
		term, docs := "", 0
		if err := terms.Scan(&term, &docs); err != nil {
			return err
		}
		stored[term] = docs
	}
	if !maps.Equal(stored, counted) {
		return fmt.Errorf("%w: the index does not have the right number of documents for each term (%d terms in the index, %d in its documents)", store.ErrCorrupt, len(stored), len(counted))
	}
	return terms.Err()
}

// Rebuild discards the search index and builds it again in batches. Meanwhile searches are
// slower, and may miss rows that are not indexed yet. progress receives the numbers of done and
// total rows, and may be nil. If Rebuild is cancelled, the next search continues.
func Rebuild(ctx context.Context, db engine.DB, progress func(done, total int), indexes ...Index) error {
	if err := rebuild(ctx, db, progress, indexes); err != nil {
		return fmt.Errorf("build index: %w", err)
	}
	return nil
}

func rebuild(ctx context.Context, db engine.DB, progress func(done, total int), indexes []Index) error {
	total := 0
	for _, ix := range indexes {
		rows := 0
		if err := ix.discard(ctx, db, &rows); err != nil {
			return err
		}
		total += rows
	}
	done := 0
	for _, ix := range indexes {
		for {
			taken, err := ix.indexBatches(ctx, db, largeBatch, largeBatch)
			if err != nil {
				return err
			}
			if taken == 0 {
				break
			}
			done += taken
			if progress != nil {
				progress(min(done, total), total)
			}
		}
	}
	if progress != nil && done < total { // idle work has indexed the other rows
		progress(total, total)
	}
	return nil
}

// discard empties an index, marks all rows of its table as stale, and stores their number in
// rows.
func (ix Index) discard(ctx context.Context, db engine.DB, rows *int) error {
	owner := db.Owner("")
	return db.Write(ctx, func(t engine.Tx) error {
		if t.Dialect() == engine.Postgres {
			return ix.discardBlocks(t, owner, rows)
		}
		for _, query := range []string{
			"INSERT INTO {}_words ({}_words) VALUES ('delete-all')",
			"INSERT INTO {}_grams ({}_grams) VALUES ('delete-all')",
			"DELETE FROM {}_docs",
			"DELETE FROM {}_terms",
			"UPDATE {} SET stale = 1",
		} {
			if err := t.Exec(ix.sql(query)); err != nil {
				return err
			}
		}
		return t.Row(ix.sql("SELECT count(*) FROM {}")).Scan(rows)
	})
}
