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

// A file created with whole.sql equals one that had every step: the same definitions of tables,
// indexes and triggers, and the same rows. That includes the rows with the settings of the search
// index.
func TestWholeSchemaEqualsTheSteps(t *testing.T) {
	stepped := inMemoryDB(t)
	for _, name := range schemas {
		runScript(t, stepped, name)
	}
	if *update {
		if err := os.WriteFile(wholeSchema, []byte(schemaScript(t, stepped)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	script, err := os.ReadFile(wholeSchema) // the embedded file is the one from before -update
	if err != nil {
		t.Fatal(err)
	}
	whole := inMemoryDB(t)
	if _, err := whole.ExecContext(t.Context(), string(script)); err != nil {
		t.Fatal(err)
	}
	if want, got := dumpDatabase(t, stepped), dumpDatabase(t, whole); !slices.Equal(want, got) {
		t.Errorf("run `go test ./store/sqlite -run WholeSchema -update`: the steps come to\n%s\nand whole.sql to\n%s", strings.Join(want, "\n"), strings.Join(got, "\n"))
	}
}

// If an older KOTA created the file first, the newer one runs the missing steps.
func TestANewFileStartedByAnOlderKOTAIsCompleted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kota.db")
	older, err := Open(t.Context(), path, FirstSteps(Options{}, 4))
	if err != nil {
		t.Fatal(err)
	}
	newer := &DB{path: path, log: older.log, now: older.now, version: older.version}
	if err := newer.migrate(t.Context(), older.writer.conn, 0, schemas); err != nil { // as if it had seen an empty file
		t.Fatal(err)
	}
	seen, err := checkSchema(t.Context(), older.writer.conn, len(schemas)) // another Open would run missing steps too
	if err != nil || seen != len(schemas) {
		t.Errorf("it has %d steps of %d: %v", seen, len(schemas), err)
	}
	if err := older.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if missing, err := missingObjects(t.Context(), db.readPool); err != nil || len(missing) > 0 {
		t.Errorf("it lacks %v: %v", missing, err)
	}
}

func inMemoryDB(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1) // each connection has its own memory
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

// schemaScript returns the script that creates the tables of a database. It omits the shadow tables
// of FTS5 indexes, which FTS5 creates itself, and inserts their settings as rows.
func schemaScript(t *testing.T, db *sql.DB) string {
	t.Helper()
	const made = `SELECT sql || ';' FROM sqlite_schema s
		WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND NOT EXISTS (SELECT 1 FROM pragma_table_list l WHERE l.schema = 'main' AND l.name = s.tbl_name AND l.type = 'shadow')
		ORDER BY rowid`
	const set = `SELECT format('INSERT INTO %s (%s, rank) VALUES (''secure-delete'', 1);', name, name) FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%fts5%' ORDER BY rowid`
	lines := []string{
		"-- The result of all migration steps, for a new file. It is generated:",
		"-- go test ./store/sqlite -run WholeSchema -update",
	}
	for _, query := range []string{made, set} {
		found, err := QueryStrings(t.Context(), db, query)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, found...)
	}
	return strings.Join(lines, "\n") + "\n"
}

// dumpDatabase returns all definitions in a database, and all rows.
func dumpDatabase(t *testing.T, db *sql.DB) []string {
	t.Helper()
	all, err := QueryStrings(t.Context(), db, "SELECT type || ' ' || name || ' of ' || tbl_name || ': ' || coalesce(sql, '') FROM sqlite_schema ORDER BY type, name")
	if err != nil {
		t.Fatal(err)
	}
	tables, err := QueryStrings(t.Context(), db, "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow') AND name NOT LIKE 'sqlite_%' ORDER BY name")
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		all = append(all, dumpTable(t.Context(), t, db, table)...)
	}
	return all
}

func dumpTable(ctx context.Context, t *testing.T, db *sql.DB, table string) (all []string) {
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
