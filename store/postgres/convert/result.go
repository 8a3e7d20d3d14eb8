package convert

import (
	"database/sql"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// A Result is the whole result of a statement in memory. It is an engine.Rows, and an
// engine.Scanner of its first row.
type Result struct {
	columns []column
	rows    [][][]byte
	at      int // the row of Scan, from 1; 0 before Next
	tag     pgconn.CommandTag
	err     error
}

// Read reads the rows of a statement, and closes rows.
func (r *Result) Read(rows pgx.Rows) error {
	for i, f := range rows.FieldDescriptions() {
		if i == 0 {
			r.columns = make([]column, 0, len(rows.FieldDescriptions()))
		}
		r.columns = append(r.columns, column{f.DataTypeOID, f.Format})
	}
	for rows.Next() {
		r.rows = append(r.rows, copyRow(rows.RawValues()))
	}
	rows.Close()
	r.tag = rows.CommandTag()
	return rows.Err()
}

// copyRow copies a row into one piece of memory. A nil value stays nil.
func copyRow(raw [][]byte) [][]byte {
	size := 0
	for _, value := range raw {
		size += len(value)
	}
	memory := make([]byte, 0, size)
	row := make([][]byte, len(raw))
	for i, value := range raw {
		if value != nil {
			from := len(memory)
			memory = append(memory, value...)
			row[i] = memory[from:len(memory):len(memory)]
		}
	}
	return row
}

// Failed returns the result of a statement that failed.
func Failed(err error) *Result { return &Result{err: err} }

// Fail makes r the result of a statement that failed, unless err is nil.
func (r *Result) Fail(err error) { r.err = err }

// Tag returns how the statement ended, such as "UPDATE 1".
func (r *Result) Tag() pgconn.CommandTag { return r.tag }

// IsEmpty reports whether there are no rows.
func (r *Result) IsEmpty() bool { return len(r.rows) == 0 }

// Next moves to the next row.
func (r *Result) Next() bool {
	if r.err != nil || r.at >= len(r.rows) {
		return false
	}
	r.at++
	return true
}

// Scan reads the current row, or the first one before Next.
func (r *Result) Scan(dest ...any) error {
	if r.err != nil {
		return r.err
	}
	if len(r.rows) == 0 {
		return sql.ErrNoRows
	}
	row := r.rows[max(r.at, 1)-1]
	if len(dest) != len(row) {
		return fmt.Errorf("scan: %d destinations for %d columns", len(dest), len(row))
	}
	for i, raw := range row {
		value, err := r.columns[i].decode(raw)
		if err == nil {
			err = assign(dest[i], value)
		}
		if err != nil {
			return fmt.Errorf("scan column %d: %w", i+1, err)
		}
	}
	return nil
}

// Err returns the error of the query.
func (r *Result) Err() error { return r.err }

// Close does nothing: the rows are in memory.
func (r *Result) Close() error { return nil }
