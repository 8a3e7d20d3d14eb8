package sqlite

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite schema/whole.sql")

// A file that is made at once is the same as one that saw every step: each table,
// index and trigger in the same words, and the same rows, those too that the search
// index keeps its settings in.
func TestTheWholeSchemaIsWhatTheStepsComeTo(t *testing.T) {
	stepped := inMemoryDB(t)
	for _, name := range schemas {
		runScript(t, stepped, name)
	}
	if *update {
		if err := os.WriteFile(wholeSchema, []byte(written(t, stepped)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	script, err := os.ReadFile(wholeSchema) // what is embedded is from before -update
	if err != nil {
		t.Fatal(err)
	}
	whole := inMemoryDB(t)
	if _, err := whole.ExecContext(t.Context(), string(script)); err != nil {
		t.Fatal(err)
	}
	if want, got := allIn(t, stepped), allIn(t, whole); !slices.Equal(want, got) {
		t.Errorf("run `go test ./store/sqlite -run WholeSchema -update`: the steps come to\n%s\nand whole.sql to\n%s", strings.Join(want, "\n"), strings.Join(got, "\n"))
	}
}

// Where an older KOTA was quicker to begin, what it did not know is made by the
// steps.
func TestANewFileThatAnOlderKOTABeganIsFinished(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	older, err := Open(t.Context(), path, Upto(Options{}, 4))
	if err != nil {
		t.Fatal(err)
	}
	newer := &DB{path: path, log: older.log, now: older.now, version: older.version}
	if err := newer.migrate(t.Context(), older.writer.conn, 0, schemas); err != nil { // it had seen an empty file
		t.Fatal(err)
	}
	seen, err := identify(t.Context(), older.writer.conn, len(schemas)) // opening it again would finish it too
	if err != nil || seen != len(schemas) {
		t.Errorf("it has seen %d steps of %d: %v", seen, len(schemas), err)
	}
	if err := older.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if gone, err := missing(t.Context(), db.reading); err != nil || len(gone) > 0 {
		t.Errorf("it lacks %v: %v", gone, err)
	}
}

func inMemoryDB(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1) // each connection has a memory of its own
	return db
}

func runScript(t *testing.T, db *sql.DB, name string) {
	t.Helper()
	script, err := schemaFiles.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), string(script)); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// written is the script that makes those tables. What an index of words is kept in,
// it makes itself; its settings are rows.
func written(t *testing.T, db *sql.DB) string {
	t.Helper()
	const made = `SELECT sql || ';' FROM sqlite_schema s
		WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND NOT EXISTS (SELECT 1 FROM pragma_table_list l WHERE l.schema = 'main' AND l.name = s.tbl_name AND l.type = 'shadow')
		ORDER BY rowid`
	const set = `SELECT format('INSERT INTO %s (%s, rank) VALUES (''secure-delete'', 1);', name, name) FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%fts5%' ORDER BY rowid`
	lines := []string{
		"-- What the steps beside it come to, for a file that is new. It is not written by",
		"-- hand: go test ./store/sqlite -run WholeSchema -update",
	}
	for _, query := range []string{made, set} {
		found, err := Texts(t.Context(), db, query)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, found...)
	}
	return strings.Join(lines, "\n") + "\n"
}

// allIn is the definition of all that is in a database, and all rows.
func allIn(t *testing.T, db *sql.DB) []string {
	t.Helper()
	all, err := Texts(t.Context(), db, "SELECT type || ' ' || name || ' of ' || tbl_name || ': ' || coalesce(sql, '') FROM sqlite_schema ORDER BY type, name")
	if err != nil {
		t.Fatal(err)
	}
	tables, err := Texts(t.Context(), db, "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow') AND name NOT LIKE 'sqlite_%' ORDER BY name")
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		all = append(all, rowsIn(t.Context(), t, db, table)...)
	}
	return all
}

func rowsIn(ctx context.Context, t *testing.T, db *sql.DB, table string) (all []string) {
	t.Helper()
	rows, err := db.QueryContext(ctx, "SELECT * FROM "+table)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		if err := rows.Scan(values...); err != nil {
			t.Fatal(err)
		}
		line := table
		for i, column := range columns {
			line += fmt.Sprintf(" %s=%v", column, *values[i].(*any))
		}
		all = append(all, line)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}
