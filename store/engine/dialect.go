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

// SameText returns a Stmt for a text that all databases accept.
func SameText(text string) Stmt { return Stmt{SQLite: text, Postgres: text} }

// For returns the text for the database of x, which is a DB, a Tx or a Reader.
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

// HasElement returns the condition that a column with a JSON array of strings has one string. With
// fold, the case of ASCII letters does not matter. placeholder is the placeholder of the string: ?
// or ?3.
func (d Dialect) HasElement(column, placeholder string, fold bool) string {
	elements, value, wanted := "json_each("+column+") AS element", "element.value", placeholder
	if d == Postgres {
		elements, wanted = "kota_elements("+column+") AS element (value)", "CAST("+placeholder+" AS text)"
	}
	if fold {
		value, wanted = d.foldASCII(value), d.foldASCII(wanted)
	}
	return "EXISTS (SELECT 1 FROM " + elements + " WHERE " + value + " = " + wanted + ")"
}

// foldASCII returns the expression for a text with small ASCII letters. lower changes no other
// letters in SQLite, and none in PostgreSQL with this collation.
func (d Dialect) foldASCII(text string) string {
	if d == Postgres {
		text += ` COLLATE "C"`
	}
	return "lower(" + text + ")"
}

// A List is an argument with many values, for Dialect.Among.
type List[T int64 | string] []T

// Value returns the list as JSON, for SQLite.
func (l List[T]) Value() (driver.Value, error) { return JSONArray(l), nil }
