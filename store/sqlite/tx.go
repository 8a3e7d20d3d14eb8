package sqlite

import (
	"context"
	"database/sql"
	"time"
)

// A tx is the part of a transaction that one write sees.
type tx struct {
	*writer
	wrote  bool  // a statement that may change rows was run
	failed error // of the first such statement that did not succeed: after it the transaction may be over
}

// exec runs a statement that changes rows.
func (t *tx) exec(query string, args ...any) (sql.Result, error) {
	stmt, err := t.stmt(query)
	if err != nil {
		return nil, err
	}
	t.wrote = true
	if t.failed != nil {
		return nil, t.failed
	}
	result, err := stmt.Exec(args...)
	t.failed = err
	return result, err
}

// row runs a query for one row, whose Scan gives sql.ErrNoRows when there is
// none.
func (t *tx) row(query string, args ...any) scanner {
	stmt, err := t.stmt(query)
	if err != nil {
		return broken{err}
	}
	return stmt.QueryRow(args...)
}

// query runs a query for many rows, which the caller closes. It is prepared
// afresh each time, so that its text may vary.
func (t *tx) query(query string, args ...any) (*sql.Rows, error) {
	return t.conn.QueryContext(context.Background(), query, args...)
}

// A scanner is a row to be read: *sql.Row or *sql.Rows.
type scanner interface{ Scan(dest ...any) error }

// broken is the row of a query that could not be prepared.
type broken struct{ err error }

func (b broken) Scan(...any) error { return b.err }

// millis is how a time is stored; the zero time is stored as NULL.
func millis(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}

// timeOf is the time of stored milliseconds, in UTC; NULL is the zero time.
func timeOf(ms sql.NullInt64) time.Time {
	if !ms.Valid {
		return time.Time{}
	}
	return time.UnixMilli(ms.Int64).UTC()
}
