package engine

import "database/sql/driver"

// A Dialect is the SQL dialect of a database.
type Dialect int

const (
	SQLite Dialect = iota
	Postgres
)

// A Stmt is a statement whose text depends on the database.
type Stmt struct{ SQLite, Postgres string }

// For returns the text for the database of x, which is a Tx or a Reader.
func (s Stmt) For(x interface{ Dialect() Dialect }) string {
	if x.Dialect() == Postgres {
		return s.Postgres
	}
	return s.SQLite
}

// Among returns the condition that a column has one of the values of a List. placeholder is the
// placeholder of the list: ? or ?3.
func (d Dialect) Among(column, placeholder string) string {
	if d == Postgres {
		return column + " = ANY (" + placeholder + ")"
	}
	return column + " IN (SELECT value FROM json_each(" + placeholder + "))"
}

// A List is an argument with many values, for Dialect.Among.
type List[T int64 | string] []T

// Value returns the list as JSON, for SQLite.
func (l List[T]) Value() (driver.Value, error) { return JSONArray(l), nil }
