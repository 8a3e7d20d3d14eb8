package sqlite

import (
	"context"
	"database/sql"
	"time"
)

// A Tx gives one write or one Hook access to the current transaction.
type Tx struct {
	*writer
	wrote  bool  // Exec ran a statement
	failed error // error of the first failed Exec; SQLite may have ended the transaction
}

// Exec runs a statement that changes rows.
func (t *Tx) Exec(query string, args ...any) (sql.Result, error) {
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

// Row runs a query of a fixed set for one row, and keeps it prepared. Its Scan returns
// sql.ErrNoRows if there is no row.
func (t *Tx) Row(query string, args ...any) Scanner {
	stmt, err := t.stmt(query)
	if err != nil {
		return errorRow{err}
	}
	return stmt.QueryRow(args...)
}

// Query runs a query for many rows, which the caller closes. It does not keep the statement, so
// the text may vary.
func (t *Tx) Query(query string, args ...any) (*sql.Rows, error) {
	return t.conn.QueryContext(context.Background(), query, args...)
}

// Now returns the time of the database's clock.
func (t *Tx) Now() time.Time { return t.db.now() }

// Changed reports whether the write may have changed rows.
func (t *Tx) Changed() bool { return t.wrote }

// SetChanged overrides Changed, for changes that Exec does not see.
func (t *Tx) SetChanged(changed bool) { t.wrote = changed }

// HasQueuedWrites reports whether other writes are queued.
func (t *Tx) HasQueuedWrites() bool { return t.hasQueued() }

// Prepared returns the prepared form of a query of a fixed set. The statement is kept. If the
// statement fails, the write continues, unlike with Exec.
func (t *Tx) Prepared(query string) (*sql.Stmt, error) { return t.stmt(query) }

// A Scanner is a row to read, such as *sql.Row and *sql.Rows.
type Scanner interface{ Scan(dest ...any) error }

// An errorRow is the row of a query that could not be prepared.
type errorRow struct{ err error }

func (b errorRow) Scan(...any) error { return b.err }

// Millis returns the stored form of a time: Unix milliseconds, or NULL for the zero time.
func Millis(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}

// TimeOf returns the time of stored milliseconds, in UTC. NULL is the zero time.
func TimeOf(ms sql.NullInt64) time.Time {
	if !ms.Valid {
		return time.Time{}
	}
	return time.UnixMilli(ms.Int64).UTC()
}
