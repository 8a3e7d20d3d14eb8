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
		n := 0
		if err := db.Read(ctx).Aggregate(ix.sql("SELECT count(*) FROM {} WHERE stale = 1")).Scan(&n); err != nil {
			return 0, fmt.Errorf("count rows to index: %w", err)
		}
		all += n
	}
	return all, nil
}

func (ix Index) check(ctx context.Context, db engine.DB) error {
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
	return db.Write(ctx, func(t engine.Tx) error { return ix.compare(t) })
}

// compare checks every row that is not stale. It does so in one write
// transaction, so that nothing changes meanwhile.
func (ix Index) compare(t engine.Tx) error {
	for last := int64(math.MinInt64); ; {
		docs, err := ix.pageAfter(t, last)
		if err != nil {
			return err
		}
		if len(docs) == 0 {
			break
		}
		for _, d := range docs {
			last = d.ID
			indexed, found, err := ix.indexedEntry(t, d.ID)
			if err != nil {
				return err
			}
			if !found || indexed != d.Index() {
				return fmt.Errorf("%w: the index of %s %d is out of date", store.ErrCorrupt, ix.Table, d.ID)
			}
		}
	}
	return ix.compareTerms(t)
}

// pageAfter returns the next checkPage rows with ids above last that are not stale.
func (ix Index) pageAfter(t engine.Tx, last int64) ([]search.Document, error) {
	rows, err := t.Query(ix.sql("SELECT "+ix.Columns+" FROM {} WHERE id > ? AND stale = 0 ORDER BY id LIMIT ?"), last, checkPage)
	if err != nil {
		return nil, err
	}
	return ix.documents(rows)
}

// compareTerms counts the terms of all documents again, and compares the counts with _terms.
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
	return db.Write(ctx, func(t engine.Tx) error {
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
