package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"kota/store"
	"kota/store/search"
	"kota/store/sqlite"
)

const (
	// smallBatch limits the rows indexed in one transaction. A write that arrives meanwhile then
	// waits for some milliseconds at most.
	smallBatch = 64
	// largeBatch is for bulk work, where small commits would cost more than the rows.
	largeBatch = 512
)

// drain indexes stale rows in batches, at most limit, and returns how many it indexed. It stops
// when none is left or ctx ends. It also indexes rows that other processes wrote.
func (ix Index) drain(ctx context.Context, db *sqlite.DB, limit, batch int) (int, error) {
	taken := 0
	for taken < limit {
		some, err := ix.hasStale(ctx, db)
		if err != nil || !some {
			return taken, err
		}
		now := 0
		err = db.Write(ctx, func(t *sqlite.Tx) (err error) {
			now, err = ix.takeIn(t, min(batch, limit-taken))
			return err
		})
		if err != nil {
			return taken, fmt.Errorf("index: %w", err)
		}
		taken += now
	}
	return taken, nil
}

// TakeAll indexes everything written so far.
func (ix Index) TakeAll(ctx context.Context, db *sqlite.DB) error {
	_, err := ix.drain(ctx, db, math.MaxInt, largeBatch)
	return err
}

// Tidy indexes one batch of each kind when the database is idle. The next search, in any process,
// indexes the rest.
func Tidy(ctx context.Context, db *sqlite.DB, some ...Index) (err error) {
	for _, ix := range some {
		_, failed := ix.drain(ctx, db, smallBatch, smallBatch)
		err = errors.Join(err, failed)
	}
	return err
}

// hasStale reports whether there are stale rows. It does not wait for a writer.
func (ix Index) hasStale(ctx context.Context, db *sqlite.DB) (bool, error) {
	some := false
	err := db.Read(ctx).Row(ix.sql("SELECT EXISTS (SELECT 1 FROM {} WHERE stale = 1)")).Scan(&some)
	return some, err
}

// takeIn indexes up to limit stale rows and returns how many.
func (ix Index) takeIn(t *sqlite.Tx, limit int) (int, error) {
	docs, err := ix.stale(t, limit)
	if err != nil {
		return 0, err
	}
	if err := ix.put(t, docs); err != nil {
		return 0, err
	}
	for _, d := range docs {
		if _, err := t.Exec(ix.sql("UPDATE {} SET stale = 0 WHERE id = ?"), d.Id); err != nil {
			return 0, err
		}
	}
	return len(docs), nil
}

// first indexes stale rows. If rows are left, it returns the newest of them in the scope as
// candidates, and how many others are left. It fails only if ctx ends or the file cannot be read:
// a full disk must not hide rows.
func (ix Index) first(ctx context.Context, db *sqlite.DB, in Scope) (fresh []*search.Candidate, leftOver int, err error) {
	taken, err := ix.drain(ctx, db, mostDrained, smallBatch)
	if ctx.Err() != nil || errors.Is(err, store.ErrClosed) {
		return nil, 0, err
	}
	if err == nil && taken < mostDrained {
		return nil, 0, nil
	}
	fresh, err = ix.unindexed(ctx, db, in)
	if err != nil || len(fresh) < mostLooked {
		return fresh, 0, err
	}
	rows, err := db.Read(ctx).Query(ix.sql("SELECT count(*) FROM {} WHERE stale = 1 AND "+in.Where), in.Args...)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	all := 0
	if rows.Next() {
		err = rows.Scan(&all)
	}
	return fresh, all - len(fresh), errors.Join(err, rows.Err())
}

const (
	mostDrained = 4096 // stale rows that a search indexes before it searches
	mostLooked  = 2000 // stale rows that it searches one by one if they cannot be indexed
)

// unindexed reads stale rows in the scope as candidates.
func (ix Index) unindexed(ctx context.Context, db *sqlite.DB, in Scope) ([]*search.Candidate, error) {
	query := ix.sql("SELECT " + ix.Meta + ", " + ix.Columns + " FROM {} WHERE stale = 1 AND " + in.Where + " ORDER BY {}.id DESC LIMIT ?")
	rows, err := db.Read(ctx).Query(query, append(slices.Clone(in.Args), mostLooked)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := []*search.Candidate{}
	for rows.Next() {
		c, updated := &search.Candidate{}, int64(0)
		d, err := ix.Load(prefixed{rows, []any{&c.Name, &updated, &c.Importance, &c.Pinned, &c.Uses}})
		if err != nil {
			return nil, err
		}
		c.Id, c.Indexed, c.Updated = d.Id, d.Index(), time.UnixMilli(updated)
		found = append(found, c)
	}
	return found, rows.Err()
}

// prefixed scans the first columns of a row into before.
type prefixed struct {
	sqlite.Scanner
	before []any
}

func (b prefixed) Scan(dest ...any) error { return b.Scanner.Scan(append(b.before, dest...)...) }

// stale reads rows whose current version is not indexed.
func (ix Index) stale(t *sqlite.Tx, limit int) ([]search.Document, error) {
	rows, err := t.Query(ix.sql("SELECT "+ix.Columns+" FROM {} WHERE stale = 1 ORDER BY id LIMIT ?"), limit)
	if err != nil {
		return nil, err
	}
	return ix.documents(rows)
}

// documents reads and closes rows.
func (ix Index) documents(rows *sql.Rows) ([]search.Document, error) {
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
