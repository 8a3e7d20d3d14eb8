package sqlite

import (
	"context"
	"database/sql"
	"time"
)

// A Tx is the part of a transaction that one write, or one Hook, sees.
type Tx struct {
	*writer
	wrote  bool  // a statement that may change rows was run
	failed error // of the first such statement that did not succeed: after it the transaction may be over
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

// Row runs a query of a fixed set for one row, which stays prepared. Its Scan
// gives sql.ErrNoRows when there is none.
func (t *Tx) Row(query string, args ...any) Scanner {
	stmt, err := t.stmt(query)
	if err != nil {
		return broken{err}
	}
	return stmt.QueryRow(args...)
}

// Query runs a query for many rows, which the caller closes. It is prepared
// afresh each time, so that its text may vary.
func (t *Tx) Query(query string, args ...any) (*sql.Rows, error) {
	return t.conn.QueryContext(context.Background(), query, args...)
}

// Now is the time on the database's clock.
func (t *Tx) Now() time.Time { return t.db.now() }

// Changed reports whether the write may have changed rows.
func (t *Tx) Changed() bool { return t.wrote }

// SetChanged overrides Changed, for what Exec cannot know.
func (t *Tx) SetChanged(changed bool) { t.wrote = changed }

// OthersWait reports whether other writes wait for this one.
func (t *Tx) OthersWait() bool { return t.waiting() }

// Prepared returns the prepared form of a query of a fixed set, which it keeps. A
// failure of what is run with it does not end the write, as one of Exec does.
func (t *Tx) Prepared(query string) (*sql.Stmt, error) { return t.stmt(query) }

// A Scanner is a row to be read: *sql.Row or *sql.Rows.
type Scanner interface{ Scan(dest ...any) error }

// broken is the row of a query that could not be prepared.
type broken struct{ err error }

func (b broken) Scan(...any) error { return b.err }

// Millis is how a time is stored; the zero time is stored as NULL.
func Millis(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}

// TimeOf is the time of stored milliseconds, in UTC; NULL is the zero time.
func TimeOf(ms sql.NullInt64) time.Time {
	if !ms.Valid {
		return time.Time{}
	}
	return time.UnixMilli(ms.Int64).UTC()
}
