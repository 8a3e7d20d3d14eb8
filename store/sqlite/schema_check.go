package sqlite

import (
	"context"
	"database/sql"
	"slices"
)

// missingObjects returns the tables, indexes and triggers that a file should have after its
// migration steps, but lacks: "table memories". SQLite's own check cannot find these.
func missingObjects(ctx context.Context, pool *sql.DB) ([]string, error) {
	const objects = "SELECT type || ' ' || name FROM sqlite_schema ORDER BY type DESC, name"
	applied := 0
	if err := pool.QueryRowContext(ctx, "PRAGMA user_version").Scan(&applied); err != nil {
		return nil, err
	}
	present, err := QueryStrings(ctx, pool, objects)
	if err != nil {
		return nil, err
	}
	model, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer model.Close()
	model.SetMaxOpenConns(1) // each connection has its own memory
	scripts := []string{wholeSchema}
	if applied < len(schemas) {
		scripts = schemas[:max(applied, 0)]
	}
	for _, name := range scripts {
		script, err := schemaFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if _, err := model.ExecContext(ctx, string(script)); err != nil {
			return nil, err
		}
	}
	expected, err := QueryStrings(ctx, model, objects)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(expected, func(object string) bool { return slices.Contains(present, object) }), nil
}
