package restore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/tables/audit"
)

// A restore must not undo what was sent, approved or counted against a limit. An item sent after
// the copy was made is not sent again, and an approval that was used is not used again. Pending
// approvals are dropped, because the state in which they were requested no longer exists.

// invalidatePending is the script that removes pending approvals from a copy, and sets the status
// of pending, sending and failed items to unknown. Since the copy was made, these calls may have
// run and these items may have been sent.
const invalidatePending = sqlite.DeletePendingSQL + `;
	UPDATE outbox SET status = 'unknown', holder = '', lease = 0,
			error = 'the outcome is unknown because an older backup was restored'
		WHERE status IN ('pending', 'sending', 'failed')`

// carriedTables are the tables from which a restore keeps newer rows, with the scripts that copy
// these rows from main to restored. main is the file that the restore replaces, and restored is
// the copy. %[1]s are the columns of restored, and %[2]s the same columns of main.
var carriedTables = []struct{ table, script string }{
	{"outbox", `INSERT OR REPLACE INTO restored.outbox (%[1]s) SELECT %[2]s FROM main.outbox AS m
		WHERE NOT EXISTS (SELECT 1 FROM restored.outbox AS f WHERE f.id = m.id AND f.updated > m.updated)`},
	{"approvals", `INSERT OR REPLACE INTO restored.approvals (%[1]s) SELECT %[2]s FROM main.approvals WHERE status <> 'waiting'`},
	{"consents", `INSERT OR IGNORE INTO restored.consents (%[1]s) SELECT %[2]s FROM main.consents`},
	{"foreign_names", `INSERT OR IGNORE INTO restored.foreign_names (%[1]s) SELECT %[2]s FROM main.foreign_names`},
	// The table passes has one row for each record of Limits.Allow.
	{"passes", `DELETE FROM restored.passes WHERE EXISTS (SELECT 1 FROM main.passes AS m WHERE m.owner = passes.owner AND m.kind = passes.kind AND m.at = passes.at);
		INSERT INTO restored.passes (%[1]s) SELECT %[2]s FROM main.passes`},
	{"audit", audit.CopyRowsSQL},
}

// carryOver prepares the copy at restoredPath, and copies the newer rows of the locked file into
// it. It then adds the audit rows of the restore.
func (s *lockedFile) carryOver(ctx context.Context, restoredPath string, opts sqlite.Options, trail *audit.Trail) error {
	if err := prepareCopy(ctx, restoredPath, opts.Version); err != nil {
		return fmt.Errorf("prepare the copy: %w", err)
	}
	if err := s.copyNewer(ctx, restoredPath); err != nil {
		return fmt.Errorf("copy the later records: %w", err)
	}
	if trail == nil {
		return nil
	}
	pool, err := sql.Open("sqlite", sqlite.FileURI(restoredPath, "mode=rw"))
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := audit.AppendTo(ctx, pool, trail, opts.Now()); err != nil { // the rows become visible together with the copy
		return fmt.Errorf("record the restore: %w", err)
	}
	return nil
}

// prepareCopy migrates the tables of the copy at restoredPath, and runs invalidatePending.
func prepareCopy(ctx context.Context, restoredPath, version string) error {
	pool, err := sql.Open("sqlite", sqlite.FileURI(restoredPath, "mode=rw", "_txlock=immediate"))
	if err != nil {
		return err
	}
	defer pool.Close()
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "PRAGMA journal_mode = DELETE"); err != nil {
		return err
	}
	if err := sqlite.MigrateCopy(ctx, conn, version); err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, invalidatePending)
	return err
}

// copyNewer copies the newer rows of the locked file into the copy at restoredPath. It skips
// tables of a damaged file that cannot be read. For the audit log see audit.CopyRowsSQL.
func (s *lockedFile) copyNewer(ctx context.Context, restoredPath string) error {
	if s.pool == nil {
		return nil
	}
	if _, err := s.pool.ExecContext(ctx, "ATTACH ? AS restored", restoredPath); err != nil {
		return ignoreDamage(err)
	}
	var copyErr error
	for _, carried := range carriedTables {
		if err := s.copyNewerRows(ctx, carried.table, carried.script); err != nil {
			copyErr = errors.Join(copyErr, fmt.Errorf("%s: %w", carried.table, err))
		}
	}
	_, detachErr := s.pool.ExecContext(ctx, "DETACH restored")
	return errors.Join(copyErr, detachErr)
}

// copyNewerRows copies one table in one transaction. If the file is damaged, that table of the
// restored copy stays unchanged.
func (s *lockedFile) copyNewerRows(ctx context.Context, table, script string) error {
	const columnsQuery = "SELECT name FROM pragma_table_info('%s', '%s')"
	mainColumns, err := sqlite.QueryStrings(ctx, s.pool, fmt.Sprintf(columnsQuery, table, "main"))
	if err != nil {
		return ignoreDamage(err)
	}
	restoredColumns, err := sqlite.QueryStrings(ctx, s.pool, fmt.Sprintf(columnsQuery, table, "restored"))
	if err != nil {
		return err
	}
	inRestored, inMain := sharedColumns(restoredColumns, mainColumns)
	if len(inRestored) == 0 { // the file is older than this table
		return nil
	}
	t, err := s.pool.BeginTx(ctx, nil)
	if err != nil {
		return ignoreDamage(err)
	}
	if _, err := t.ExecContext(ctx, fmt.Sprintf(script, strings.Join(inRestored, ", "), strings.Join(inMain, ", "))); err != nil {
		return errors.Join(ignoreDamage(err), t.Rollback())
	}
	return ignoreDamage(t.Commit())
}

// sharedColumns returns the columns that two versions of a table share: their names in restored
// and, in the same order, their names in main. A column with another name at the same position
// was renamed, because migrations add columns only at the end.
func sharedColumns(restored, main []string) (inRestored, inMain []string) {
	for i, column := range main {
		switch {
		case slices.Contains(restored, column):
			inRestored, inMain = append(inRestored, column), append(inMain, column)
		case i < len(restored) && !slices.Contains(main, restored[i]):
			inRestored, inMain = append(inRestored, restored[i]), append(inMain, column)
		}
	}
	return inRestored, inMain
}

// ignoreDamage returns nil for errors that a damaged file can cause, because the restore replaces
// that file.
func ignoreDamage(err error) error {
	if err = sqlite.Classify(err); errors.Is(err, store.ErrCorrupt) || errors.Is(err, store.ErrIO) {
		return nil
	}
	return err
}
