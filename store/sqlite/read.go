package sqlite

import (
	"context"
	"database/sql"

	"kota/store"
)

// stmt returns the prepared form of a query for the reading connections. It keeps the statement
// open, so query must be one of a fixed set.
func (db *DB) stmt(ctx context.Context, query string) (*sql.Stmt, error) {
	if stmt, ok := db.prepared.Load(query); ok {
		return stmt.(*sql.Stmt), nil
	}
	stmt, err := db.readPool.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	if first, ok := db.prepared.LoadOrStore(query, stmt); ok {
		stmt.Close()
		return first.(*sql.Stmt), nil
	}
	return stmt, nil
}

// A Querier reads rows. A Tx reads them within a write, and a Reader reads the committed rows.
type Querier interface {
	Row(query string, args ...any) Scanner // for a fixed set of queries, which stay prepared
	Query(query string, args ...any) (*sql.Rows, error)
}

// A Reader reads committed rows. It does not wait for writers.
type Reader struct {
	ctx context.Context
	db  *DB
}

// Read returns a Reader for work in ctx.
func (db *DB) Read(ctx context.Context) Reader { return Reader{ctx, db} }

// Row runs a query of a fixed set for one row and keeps it prepared. Its Scan returns
// sql.ErrNoRows if there is no row. A running query cannot be cancelled: a lookup of one row
// takes less time than the two goroutines that would interrupt it. Use Aggregate for a query that
// reads many rows.
func (r Reader) Row(query string, args ...any) Scanner {
	stmt, err := r.db.stmt(r.ctx, query)
	if err == nil {
		err = r.ctx.Err()
	}
	if err != nil {
		return errorRow{err}
	}
	return stmt.QueryRowContext(context.WithoutCancel(r.ctx), args...)
}

// Aggregate is like Row for a query that reads many rows. It stops when its context ends.
func (r Reader) Aggregate(query string, args ...any) Scanner {
	return r.db.readPool.QueryRowContext(r.ctx, query, args...)
}

// Query runs a query for many rows, which the caller closes.
func (r Reader) Query(query string, args ...any) (*sql.Rows, error) {
	return r.db.readPool.QueryContext(r.ctx, query, args...)
}

// Prepared returns the prepared form of a query of a fixed set. The statement is kept.
func (r Reader) Prepared(query string) (*sql.Stmt, error) { return r.db.stmt(r.ctx, query) }

// Strings returns the values of a query with one column.
func (r Reader) Strings(query string) ([]string, error) {
	return QueryStrings(r.ctx, r.db.readPool, query)
}

// JSONArray returns the JSON of a slice. A nil slice becomes an empty array.
func JSONArray[T any](slice []T) string {
	if len(slice) == 0 {
		return "[]"
	}
	return string(store.EncodeJSON(slice))
}
