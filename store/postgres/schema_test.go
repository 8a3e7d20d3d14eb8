package postgres

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// onlyHere are columns that only PostgreSQL has. onlyInFiles matches tables that only SQLite has:
// the search index has other tables here.
var (
	onlyHere    = []string{"outbox.rowid", "undo.rowid", "passes.rowid", "audit.name", "consents.owner", "text_vectors.owner", "memory_vectors.owner"}
	onlyInFiles = regexp.MustCompile(`^meta$|_(docs|terms|words|grams)`)
)

func TestTablesHaveTheColumnsOfSQLite(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("../sqlite/schema/whole.sql")
	if err != nil {
		t.Fatal(err)
	}
	tables := tablesIn(string(script))
	if len(tables) < 20 {
		t.Fatalf("found %d tables", len(tables))
	}
	d := newDatabase(t)
	mustOpen(t, d.asSuperuser())
	for table, want := range tables {
		if onlyInFiles.MatchString(table) {
			continue
		}
		got := strings.Split(d.value(t, "SELECT coalesce(string_agg(attname, ','), '') FROM pg_attribute WHERE attrelid = to_regclass('kota.' || $1::text) AND attnum > 0 AND NOT attisdropped", table), ",")
		for _, column := range want {
			if !slices.Contains(got, column) {
				t.Errorf("%s.%s is missing", table, column)
			}
		}
		for _, column := range got {
			if !slices.Contains(want, column) && !slices.Contains(onlyHere, table+"."+column) {
				t.Errorf("%s.%s is only in PostgreSQL", table, column)
			}
		}
	}
}

// tablesIn returns the columns of the tables that a script creates.
func tablesIn(script string) map[string][]string {
	script = regexp.MustCompile(`--[^\n]*`).ReplaceAllString(script, "")
	tables := map[string][]string{}
	for _, found := range regexp.MustCompile(`(?s)CREATE TABLE (\w+) \((.*?)\) STRICT`).FindAllStringSubmatch(script, -1) {
		depth, item := 0, ""
		for _, r := range found[2] + "," {
			switch {
			case r == ',' && depth == 0:
				if name, _, _ := strings.Cut(strings.TrimSpace(item), " "); name != "PRIMARY" {
					tables[found[1]] = append(tables[found[1]], strings.Trim(name, `"`))
				}
				item = ""
				continue
			case r == '(':
				depth++
			case r == ')':
				depth--
			}
			item += string(r)
		}
	}
	return tables
}
