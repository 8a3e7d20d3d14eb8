package store

import (
	"context"
	"fmt"
)

// drainBatch bounds the rows indexed in one transaction, so that a write that
// comes meanwhile waits for some milliseconds at most.
const drainBatch = 64

// drain takes rows that are stale into the index, at most limit, and reports
// how many it took. It stops when none is left or ctx ends. Rows of other
// processes are taken too.
func (db *DB) drain(ctx context.Context, ix index, limit int) (int, error) {
	taken := 0
	for taken < limit {
		some, err := db.hasStale(ctx, ix)
		if err != nil || !some {
			return taken, err
		}
		batch := 0
		err = db.write(ctx, func(t *tx) (err error) {
			batch, err = ix.takeIn(t, min(drainBatch, limit-taken))
			return err
		})
		if err != nil {
			return taken, fmt.Errorf("index: %w", err)
		}
		taken += batch
	}
	return taken, nil
}

// hasStale looks without waiting for a writer.
func (db *DB) hasStale(ctx context.Context, ix index) (bool, error) {
	stmt, err := db.stmt(ctx, ix.sql("SELECT EXISTS (SELECT 1 FROM {} WHERE stale = 1)"))
	if err != nil {
		return false, err
	}
	some := false
	err = stmt.QueryRowContext(ctx).Scan(&some)
	return some, err
}

// takeIn indexes up to limit stale rows and returns how many.
func (ix index) takeIn(t *tx, limit int) (int, error) {
	docs, err := ix.stale(t, limit)
	if err != nil {
		return 0, err
	}
	if err := ix.put(t, docs); err != nil {
		return 0, err
	}
	for _, d := range docs {
		if _, err := t.exec(ix.sql("UPDATE {} SET stale = 0 WHERE id = ?"), d.id); err != nil {
			return 0, err
		}
	}
	return len(docs), nil
}

// stale reads rows that the index does not have as they are now.
func (ix index) stale(t *tx, limit int) ([]document, error) {
	rows, err := t.query(ix.sql("SELECT "+ix.columns+" FROM {} WHERE stale = 1 ORDER BY id LIMIT ?"), limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	docs := []document{}
	for rows.Next() {
		d, err := ix.load(rows)
		if err != nil {
			return nil, err
		}
		docs = append(docs, d)
	}
	return docs, rows.Err()
}
