package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"kota/store/engine"
)

// A tx gives one write or one engine.Hook access to the current transaction.
type tx struct {
	*writer
	wrote  bool  // a statement may have changed rows
	failed error // error of the first statement that failed to change rows; SQLite may have ended the transaction
}

var _ engine.Tx = (*tx)(nil)

func (t *tx) Dialect() engine.Dialect { return engine.SQLite }

func (t *tx) Exec(query string, args ...any) error {
	_, err := t.exec(query, args)
	return err
}

func (t *tx) exec(query string, args []any) (sql.Result, error) {
	stmt, err := t.stmt(query)
	if err != nil {
		return nil, Classify(err)
	}
	t.wrote = true
	if t.failed != nil {
		return nil, t.failed
	}
	result, err := stmt.Exec(args...)
	t.failed = Classify(err)
	return result, t.failed
}

func (t *tx) Change(query string, args ...any) (int64, error) {
	before := t.wrote
	result, err := t.exec(query, args)
	if err != nil {
		return 0, err
	}
	rows, err := result.RowsAffected()
	t.wrote = before || rows > 0
	return rows, err
}

// Insert passes NULL as the id. SQLite then numbers the row.
func (t *tx) Insert(_, query string, args ...any) (int64, error) {
	result, err := t.exec(query, append([]any{nil}, args...))
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

// InsertNew passes NULL as the id. SQLite then numbers the row.
func (t *tx) InsertNew(_, query string, args ...any) engine.Scanner {
	if t.failed != nil {
		return errorRow{t.failed}
	}
	return newRow{t.Row(query, append([]any{nil}, args...)...), t, t.wrote}
}

// A newRow is the result of InsertNew.
type newRow struct {
	engine.Scanner
	t     *tx
	wrote bool // before the InsertNew
}

func (r newRow) Scan(dest ...any) error {
	err := r.Scanner.Scan(dest...)
	none := errors.Is(err, sql.ErrNoRows)
	r.t.wrote = r.wrote || !none
	if err != nil && !none {
		r.t.failed = err
	}
	return err
}

func (t *tx) Row(query string, args ...any) engine.Scanner {
	stmt, err := t.stmt(query)
	if err != nil {
		return errorRow{err}
	}
	return row{stmt.QueryRow(args...)}
}

func (t *tx) Query(query string, args ...any) (engine.Rows, error) {
	return rowsOf(t.conn.QueryContext(context.Background(), query, args...))
}

func (t *tx) QueryFixed(query string, args ...any) (engine.Rows, error) {
	stmt, err := t.stmt(query)
	if err != nil {
		return nil, Classify(err)
	}
	return rowsOf(stmt.Query(args...))
}

func (t *tx) Now() time.Time { return t.db.now() }

func (t *tx) Changed() bool { return t.wrote }

func (t *tx) SetChanged(changed bool) { t.wrote = changed }

func (t *tx) HasQueuedWrites() bool { return t.hasQueued() }
