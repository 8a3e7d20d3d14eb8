package index

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"kota/store"
	"kota/store/engine"
	"kota/store/search"
)

const (
	// smallBatch limits the rows indexed in one transaction, so that a write that arrives
	// meanwhile waits for some milliseconds at most.
	smallBatch = 64
	// largeBatch is for bulk work, where small commits would cost more than the rows.
	largeBatch = 512
)

// indexBatches indexes at most limit stale rows, batch rows per transaction, and returns how many
// it indexed. It stops when none is left or ctx ends. It also indexes rows that other processes
// wrote.
func (ix Index) indexBatches(ctx context.Context, db engine.DB, limit, batch int) (int, error) {
	taken, owner := 0, db.Owner("")
	if db.Dialect() == engine.Postgres {
		batch = smallBatch // other people's writes may wait for the transaction
	}
	for taken < limit {
		stale, err := ix.hasStale(ctx, db)
		if err != nil || !stale {
			return taken, err
		}
		now := 0
		err = db.Write(ctx, func(t engine.Tx) (err error) {
			now, err = ix.indexStale(t, owner, min(batch, limit-taken))
			return err
		})
		if err != nil {
			return taken, fmt.Errorf("index: %w", err)
		}
		taken += now
	}
	return taken, nil
}

// IndexAll indexes everything written so far.
func (ix Index) IndexAll(ctx context.Context, db engine.DB) error {
	_, err := ix.indexBatches(ctx, db, math.MaxInt, largeBatch)
	return err
}

// IndexBatch indexes one batch of stale rows for each index. It is called again and again while
// the database is idle, until no row is stale. A search does not wait for that: it indexes the
// rest itself.
func IndexBatch(ctx context.Context, db engine.DB, indexes ...Index) (err error) {
	for _, ix := range indexes {
		_, failed := ix.indexBatches(ctx, db, smallBatch, smallBatch)
		err = errors.Join(err, failed)
	}
	return err
}

// hasStale reports whether there are stale rows. It does not wait for a writer.
func (ix Index) hasStale(ctx context.Context, db engine.DB) (bool, error) {
	found := false
	read := db.Read(ctx)
	where, args := ofOwner(read.Dialect(), db.Owner(""))
	err := read.Row(ix.sql("SELECT EXISTS (SELECT 1 FROM {} WHERE "+where+"stale = 1)"), args...).Scan(&found)
	return found, err
}

// indexStale indexes at most limit stale rows and returns how many it indexed.
func (ix Index) indexStale(t engine.Tx, owner any, limit int) (int, error) {
	docs, err := ix.staleDocuments(t, owner, limit)
	if err != nil {
		return 0, err
	}
	if err := ix.indexDocuments(t, owner, docs); err != nil {
		return 0, err
	}
	where, args := ofOwner(t.Dialect(), owner)
	for _, d := range docs {
		if err := t.Exec(ix.sql("UPDATE {} SET stale = 0 WHERE "+where+"id = ?"), append(slices.Clone(args), d.ID)...); err != nil {
			return 0, err
		}
	}
	return len(docs), nil
}

// indexFirst indexes stale rows. If rows are left, it returns the newest of them in the scope as
// candidates, at most maxScanned. It also returns how many others in the scope are left. It fails
// only if ctx ends, the database is closed or the file cannot be read: a full disk must not hide
// rows.
func (ix Index) indexFirst(ctx context.Context, db engine.DB, in Scope) (fresh []*search.Candidate, notScanned int, err error) {
	taken, err := ix.indexBatches(ctx, db, maxIndexedFirst, smallBatch)
	if ctx.Err() != nil || errors.Is(err, store.ErrClosed) {
		return nil, 0, err
	}
	if err == nil && taken < maxIndexedFirst {
		return nil, 0, nil
	}
	fresh, err = ix.unindexed(ctx, db, in)
	if err != nil || len(fresh) < maxScanned {
		return fresh, 0, err
	}
	rows, err := db.Read(ctx).Query(ix.sql("SELECT count(*) FROM {} WHERE stale = 1 AND "+in.Where), in.Args...)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	total := 0
	if rows.Next() {
		err = rows.Scan(&total)
	}
	return fresh, total - len(fresh), errors.Join(err, rows.Err())
}

const (
	maxIndexedFirst = 4096 // stale rows that a search indexes before it searches
	maxScanned      = 2000 // stale rows that a search reads one by one if they cannot be indexed
)

// unindexed reads stale rows in the scope as candidates.
func (ix Index) unindexed(ctx context.Context, db engine.DB, in Scope) ([]*search.Candidate, error) {
	read := db.Read(ctx)
	query := ix.sql("SELECT " + ix.Meta.For(read) + ", " + ix.Columns + " FROM {} WHERE stale = 1 AND " + in.Where + " ORDER BY {}.id DESC LIMIT ?")
	rows, err := read.Query(query, append(slices.Clone(in.Args), maxScanned)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := []*search.Candidate{}
	for rows.Next() {
		c, updated := &search.Candidate{}, int64(0)
		d, err := ix.Load(prefixScanner{rows, []any{&c.Name, &updated, &c.Importance, &c.Pinned, &c.Uses}})
		if err != nil {
			return nil, err
		}
		c.ID, c.Indexed, c.Updated = d.ID, d.Index(), time.UnixMilli(updated)
		found = append(found, c)
	}
	return found, rows.Err()
}

// prefixScanner scans the first columns of a row into before.
type prefixScanner struct {
	engine.Scanner
	before []any
}

func (b prefixScanner) Scan(dest ...any) error { return b.Scanner.Scan(append(b.before, dest...)...) }

// staleDocuments reads rows whose current version is not indexed.
func (ix Index) staleDocuments(t engine.Tx, owner any, limit int) ([]search.Document, error) {
	where, args := ofOwner(t.Dialect(), owner)
	rows, err := t.Query(ix.sql("SELECT "+ix.Columns+" FROM {} WHERE "+where+"stale = 1 ORDER BY id LIMIT ?"), append(args, limit)...)
	if err != nil {
		return nil, err
	}
	return ix.documents(rows)
}

// documents reads and closes rows.
func (ix Index) documents(rows engine.Rows) ([]search.Document, error) {
	defer rows.Close()
	docs := []search.Document{}
	for rows.Next() {
		d, err := ix.Load(rows)
		if err != nil {
			return nil, err
		}
		docs = append(docs, d)
	}
	return docs, rows.Err()
}
