package engine

import "time"

// A Scanner is a row to read. Scan returns sql.ErrNoRows if there is no row. The destinations may
// be pointers to the basic types and to types based on them, *[]byte, *sql.RawBytes, *sql.NullInt64
// and other sql.Scanner.
type Scanner interface{ Scan(dest ...any) error }

// Rows are the rows of a query, which the caller closes. Memory that Scan stores in a *sql.RawBytes
// is valid until the next call.
type Rows interface {
	Scanner
	Next() bool
	Err() error
	Close() error
}

// A Querier reads rows. A Tx reads them within a write, and a Reader reads the committed rows.
// Arguments may be of the basic types and of types based on them, pointers to these, List, nil,
// and any driver.Valuer.
type Querier interface {
	// Dialect returns the SQL dialect of the database.
	Dialect() Dialect
	// Row runs a query of a fixed set for one row, and keeps it prepared.
	Row(query string, args ...any) Scanner
	// Query runs a query for many rows. It does not keep the statement prepared, so its text may
	// vary.
	Query(query string, args ...any) (Rows, error)
	// QueryFixed is Query for a query of a fixed set, which it keeps prepared.
	QueryFixed(query string, args ...any) (Rows, error)
}

// A Reader reads committed rows. It does not wait for writers.
type Reader interface {
	Querier
	// Aggregate is Row for a query that reads many rows. It stops when the context of the Reader
	// ends, and does not keep the query prepared.
	Aggregate(query string, args ...any) Scanner
}

// A Tx gives one write or one Hook access to the current transaction. Its statements are of a
// fixed set, except those of Query. After a statement that changes rows has failed, all later ones
// fail, and so does the write.
//
// Row and Query change nothing: a statement that changes rows goes through Exec, Change or an Insert.
type Tx interface {
	Querier
	// Exec runs a statement that changes rows. It may run the statement later: before the next
	// statement that reads, or before the commit. An error then ends the write.
	Exec(query string, args ...any) error
	// Change is Exec, and returns how many rows it has changed.
	Change(query string, args ...any) (rows int64, err error)
	// Insert adds exactly one row to a table with numbered rows, and returns its id. The
	// statement's first placeholder is the id, for which args has no value. Insert may run the
	// statement later, like Exec.
	Insert(table, query string, args ...any) (id int64, err error)
	// InsertNew is Insert for a statement that adds no row if there is one with the same key. It
	// returns the row after RETURNING. Its Scan returns sql.ErrNoRows if no row was added; the id
	// is then not used up.
	InsertNew(table, query string, args ...any) Scanner
	// MarkErased records that the text of the removed rows must be removed from the storage.
	MarkErased() error

	// Now returns the time of the database's clock.
	Now() time.Time
	// Changed reports whether the write may have changed rows. A Change and an InsertNew without
	// a row have not.
	Changed() bool
	// SetChanged overrides Changed, for changes outside of the database.
	SetChanged(changed bool)
	// HasQueuedWrites reports whether other writes are queued.
	HasQueuedWrites() bool
}
