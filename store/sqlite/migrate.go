package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kota/store"
)

// applicationID marks a SQLite file as KOTA's, in its header: "KOTA".
const applicationID = 0x4b4f5441

//go:embed schema
var schemaFiles embed.FS

// schemas are the migration steps from an empty file to the current tables, in order. PRAGMA
// user_version is the number of steps that a file has had. A released step never changes: add
// another step to correct it.
var schemas = []string{
	"schema/001_memories.sql",
	"schema/002_memories_index.sql",
	"schema/003_mail.sql",
	"schema/004_outbox.sql",
	"schema/005_undo.sql",
	"schema/006_stages.sql",
	"schema/007_diary.sql",
	"schema/008_diary_index.sql",
	"schema/009_usage.sql",
	"schema/010_vectors.sql",
	"schema/011_approvals.sql",
	auditSchema,
	"schema/013_secrets.sql",
	"schema/014_limits.sql",
	"schema/015_approvals_session.sql",
	"schema/017_changes.sql",
	"schema/018_diary_source.sql",
	"schema/019_undone.sql",
	"schema/020_names.sql",
	"schema/021_passes_kinds.sql",
	"schema/022_undo_claimer.sql",
	"schema/023_approvals_reported.sql",
	"schema/024_contacts.sql",
}

const (
	auditSchema = "schema/012_audit.sql"
	// wholeSchema is the result of all steps in one script. It creates a new file in a third of
	// the time, and in one transaction.
	wholeSchema = "schema/whole.sql"
)

// checkSchema returns how many migration steps the file has had, or 0 for an empty file. known is
// the number of steps that this program knows. It returns ErrForeign, ErrNewer or ErrCorrupt for
// a file that it does not accept. It changes nothing.
func checkSchema(ctx context.Context, conn *sql.Conn, known int) (int, error) {
	var application, schema, tables int
	err := conn.QueryRowContext(ctx, `
		SELECT (SELECT application_id FROM pragma_application_id),
		       (SELECT user_version FROM pragma_user_version),
		       (SELECT count(*) FROM sqlite_schema)`).Scan(&application, &schema, &tables)
	if err != nil {
		return 0, err
	}
	if application == 0 && schema == 0 && tables == 0 {
		return 0, nil
	}
	if application != applicationID {
		return 0, fmt.Errorf("%w: a SQLite file without KOTA's mark", store.ErrForeign)
	}
	if schema < 0 {
		return 0, fmt.Errorf("%w: its schema version is %d", store.ErrCorrupt, schema)
	}
	if schema > known {
		return 0, fmt.Errorf("%w: %s changed its tables to schema %d, and this KOTA knows schema %d; update KOTA", store.ErrNewer, writtenBy(ctx, conn), schema, known)
	}
	return schema, nil
}

// writtenBy returns "KOTA" and the version that last changed the tables, or "a newer KOTA" if the
// file does not contain that version.
func writtenBy(ctx context.Context, conn *sql.Conn) string {
	version := ""
	err := conn.QueryRowContext(ctx, "SELECT value FROM meta WHERE name = 'kota'").Scan(&version)
	if err != nil || version == "" {
		return "a newer KOTA"
	}
	return "KOTA " + version
}

// migrate runs the steps that the file has not had. If the file has tables, migrate copies it
// first.
func (db *DB) migrate(ctx context.Context, conn *sql.Conn, applied int, steps []string) error {
	if applied == len(steps) {
		return nil
	}
	if applied > 0 {
		copied, err := db.copyBeforeMigration(ctx, conn, applied)
		if err != nil {
			return fmt.Errorf("copy before migrating: %w", err)
		}
		db.log.Info("copied the database before changing its tables", "copy", copied, "schema", applied)
	}
	if applied == 0 && len(steps) == len(schemas) {
		created, err := db.runStep(ctx, conn, wholeSchema, 0, len(steps))
		if err != nil {
			return fmt.Errorf("create the tables: %w", err)
		}
		if created {
			return nil
		} // otherwise another process was first, possibly with fewer steps
	}
	for step := applied; step < len(steps); step++ {
		if _, err := db.runStep(ctx, conn, steps[step], step, step+1); err != nil {
			return fmt.Errorf("migrate with %s: %w", steps[step], err)
		}
	}
	return nil
}

// CheckSchema returns an error for a file that Open would refuse because of its schema or its
// application id. Classify of the error matches ErrForeign, ErrNewer or ErrCorrupt.
func CheckSchema(ctx context.Context, conn *sql.Conn) error {
	_, err := checkSchema(ctx, conn, len(schemas))
	return err
}

// IsCurrent reports whether a file has had every migration step. It returns the errors of CheckSchema.
func IsCurrent(ctx context.Context, conn *sql.Conn) (bool, error) {
	applied, err := checkSchema(ctx, conn, len(schemas))
	return applied == len(schemas), err
}

// MigrateCopy runs all missing steps on a copy that nothing else uses. version is the version of
// the program.
func MigrateCopy(ctx context.Context, conn *sql.Conn, version string) error {
	db := &DB{version: version}
	for step := range schemas {
		if _, err := db.runStep(ctx, conn, schemas[step], step, step+1); err != nil {
			return fmt.Errorf("migrate with %s: %w", schemas[step], err)
		}
	}
	return nil
}

// runStep runs a script in a transaction. The script migrates a file that has had oldSteps steps
// to newSteps. runStep does nothing and returns false if the file has had more than oldSteps
// steps.
func (db *DB) runStep(ctx context.Context, conn *sql.Conn, name string, oldSteps, newSteps int) (ran bool, err error) {
	script, err := schemaFiles.ReadFile(name)
	if err != nil {
		return false, err
	}
	tx, err := beginTx(ctx, conn)
	if err != nil {
		return false, err
	}
	defer tx.Rollback()
	applied := 0
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&applied); err != nil {
		return false, err
	}
	if applied > oldSteps {
		return false, nil
	}
	if _, err := tx.ExecContext(ctx, string(script)); err != nil {
		return false, err
	}
	pragmas := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, newSteps)
	if _, err := tx.ExecContext(ctx, pragmas); err != nil {
		return false, err
	}
	if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO meta (name, value) VALUES ('kota', ?)", db.version); err != nil {
		return false, err
	}
	return true, tx.Commit()
}

func beginTx(ctx context.Context, conn *sql.Conn) (tx *sql.Tx, err error) {
	err = retryBusy(ctx, nil, func() error {
		tx, err = conn.BeginTx(ctx, nil)
		return err
	})
	return tx, err
}

// copyBeforeMigration copies the file to a new file next to it, and returns the path of the copy.
// The path ends in .partial until the copy is complete. Two processes that migrate at the same
// time make one copy each.
func (db *DB) copyBeforeMigration(ctx context.Context, conn *sql.Conn, applied int) (string, error) {
	pattern := fmt.Sprintf("%s.schema%d-%s-*.bak.partial", filepath.Base(db.path), applied, db.Now().UTC().Format("20060102T150405"))
	file, err := os.CreateTemp(filepath.Dir(db.path), pattern) // 0600; VACUUM INTO accepts an empty file and keeps its mode
	if err != nil {
		return "", err
	}
	partial := file.Name()
	if err := file.Close(); err != nil {
		return "", err
	}
	if _, err := conn.ExecContext(ctx, "VACUUM INTO ?", partial); err != nil {
		return "", errors.Join(err, os.Remove(partial))
	}
	name := strings.TrimSuffix(partial, ".partial")
	return name, os.Rename(partial, name)
}
