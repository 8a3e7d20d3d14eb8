package sqlite

import (
	"context"
	"database/sql"

	"kota/store/engine"
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

// A reader reads committed rows. It does not wait for writers.
type reader struct {
	ctx context.Context
	db  *DB
}

var _ engine.Reader = reader{}

// Read returns a Reader for work in ctx.
func (db *DB) Read(ctx context.Context) engine.Reader { return reader{ctx, db} }

func (r reader) Dialect() engine.Dialect { return engine.SQLite }

// Row runs a query for one row. A running query cannot be cancelled: a lookup of one row takes
// less time than the two goroutines that would interrupt it.
func (r reader) Row(query string, args ...any) engine.Scanner {
	stmt, err := r.db.stmt(r.ctx, query)
	if err == nil {
		err = r.ctx.Err()
	}
	if err != nil {
		return errorRow{err}
	}
	return row{stmt.QueryRowContext(context.WithoutCancel(r.ctx), args...)}
}

func (r reader) Aggregate(query string, args ...any) engine.Scanner {
	return row{r.db.readPool.QueryRowContext(r.ctx, query, args...)}
}

func (r reader) Query(query string, args ...any) (engine.Rows, error) {
	return rowsOf(r.db.readPool.QueryContext(r.ctx, query, args...))
}

func (r reader) QueryFixed(query string, args ...any) (engine.Rows, error) {
	stmt, err := r.db.stmt(r.ctx, query)
	if err != nil {
		return nil, Classify(err)
	}
	return rowsOf(stmt.QueryContext(r.ctx, args...))
}

// A row classifies the errors of a sql.Row.
type row struct{ *sql.Row }

func (r row) Scan(dest ...any) error { return Classify(r.Row.Scan(dest...)) }

// rows classifies the errors of sql.Rows.
type rows struct{ *sql.Rows }

func rowsOf(found *sql.Rows, err error) (engine.Rows, error) {
	if err != nil {
		return nil, Classify(err)
	}
	return rows{found}, nil
}

func (r rows) Scan(dest ...any) error { return Classify(r.Rows.Scan(dest...)) }

func (r rows) Err() error { return Classify(r.Rows.Err()) }

func (r rows) Close() error { return Classify(r.Rows.Close()) }

// An errorRow is the row of a query that could not be run.
type errorRow struct{ err error }

func (r errorRow) Scan(...any) error { return Classify(r.err) }
