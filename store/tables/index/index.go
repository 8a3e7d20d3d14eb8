// Package index makes the rows of a table searchable, with FTS5 in SQLite and with lists of rows in
// PostgreSQL. Writes only mark a row as stale. Background work indexes it, or the next search if that
// comes first. A search also finds rows that are not indexed, up to a limit. Start at Search.Match.
package index

import (
	"strings"

	"kota/store/engine"
	"kota/store/search"
)

// An Index makes the rows of one table searchable. In SQLite it stores its data in four tables named
// after that table:
//   - _docs: the terms of each row
//   - _terms: all terms
//   - _words: an FTS5 index from terms to rows
//   - _grams: an FTS5 index from trigrams to terms
//
// In PostgreSQL the indexes of all tables are in docs, terms, blocks and indexes; see postgres.go.
//
// Rows with stale = 1 are not indexed yet. In SQLite, Match indexes them first. In PostgreSQL, where a
// write would wait for others, it reads up to 64 of them instead.
type Index struct {
	Table   string
	Columns string                                            // columns of the table that Load reads, id first
	Load    func(row engine.Scanner) (search.Document, error) // builds a document from these columns
	Meta    engine.Stmt                                       // five SQL expressions for a candidate: name, updated, importance, pinned, uses
}

// sql replaces {} in a query by the name of the table.
func (ix Index) sql(query string) string { return strings.ReplaceAll(query, "{}", ix.Table) }

// indexDocuments indexes documents of an owner, and replaces the index entries with the same ids.
func (ix Index) indexDocuments(t engine.Tx, owner any, docs []search.Document) error {
	if t.Dialect() == engine.Postgres {
		return ix.indexBlocks(t, owner, docs)
	}
	return ix.indexWords(t, docs)
}

// Remove removes documents of an owner from the index. No table of the index contains their text
// afterwards. It ignores ids that are not indexed.
func (ix Index) Remove(t engine.Tx, owner any, ids []int64) error {
	if t.Dialect() == engine.Postgres {
		return ix.removeBlocks(t, owner, ids)
	}
	return ix.removeWords(t, ids)
}

// ofOwner is a condition for queries on all rows of the table. A file belongs to one person, whose
// rows need no condition. In PostgreSQL the first argument of the query is the owner.
func ofOwner(d engine.Dialect, owner any) (where string, args []any) {
	if d == engine.Postgres {
		return "owner = ? AND ", []any{owner}
	}
	return "", nil
}
