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
	"kota/store/sqlite/audit"
)

// A restore must not undo what was sent, approved or counted. An item sent after the copy was made
// is not sent again, and a used consent is not used twice. Pending approvals are dropped, because
// the state in which they were requested no longer exists.

// invalidatePending is the script that removes pending approvals from a copy, and marks unfinished
// items as unknown. Since the copy was made, these calls may have run and these items may have been
// sent.
const invalidatePending = sqlite.DeletePendingSQL + `;
	UPDATE outbox SET status = 'unknown', holder = '', lease = 0,
			error = 'a backup was restored that was made before its outcome was known'
		WHERE status IN ('pending', 'sending', 'failed')`

// carriedTables are the tables in which the replaced file may have newer rows, with the scripts that
// copy them to fresh. %[1]s are the columns of fresh, and %[2]s the same columns of main.
var carriedTables = []struct{ table, script string }{
	{"outbox", `INSERT OR REPLACE INTO fresh.outbox (%[1]s) SELECT %[2]s FROM main.outbox AS m
		WHERE NOT EXISTS (SELECT 1 FROM fresh.outbox AS f WHERE f.id = m.id AND f.updated > m.updated)`},
	{"approvals", `INSERT OR REPLACE INTO fresh.approvals (%[1]s) SELECT %[2]s FROM main.approvals WHERE status <> 'waiting'`},
	{"consents", `INSERT OR IGNORE INTO fresh.consents (%[1]s) SELECT %[2]s FROM main.consents`},
	{"foreign_names", `INSERT OR IGNORE INTO fresh.foreign_names (%[1]s) SELECT %[2]s FROM main.foreign_names`},
	{"passes", `DELETE FROM fresh.passes WHERE EXISTS (SELECT 1 FROM main.passes AS m WHERE m.owner = passes.owner AND m.kind = passes.kind AND m.at = passes.at);
		INSERT INTO fresh.passes (%[1]s) SELECT %[2]s FROM main.passes`},
	{"audit", audit.CopyRowsSQL},
}

// carryOver adds to the copy the newer records of the locked file, and the audit rows of the
// restore.
func (s *lockedFile) carryOver(ctx context.Context, fresh string, opts sqlite.Options, trail *audit.Trail) error {
	if err := prepareCopy(ctx, fresh, opts.Version); err != nil {
		return fmt.Errorf("update the copy: %w", err)
	}
	if err := s.copyNewer(ctx, fresh); err != nil {
		return fmt.Errorf("copy the later records: %w", err)
	}
	if trail == nil {
		return nil
	}
	pool, err := sql.Open("sqlite", sqlite.FileURI(fresh, "mode=rw"))
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := audit.AppendTo(ctx, pool, trail, opts.Now()); err != nil { // the rows become visible together with the copy
		return fmt.Errorf("record the restore: %w", err)
	}
	return nil
}

// prepareCopy migrates the tables of a copy, and runs invalidatePending.
func prepareCopy(ctx context.Context, fresh, version string) error {
	pool, err := sql.Open("sqlite", sqlite.FileURI(fresh, "mode=rw", "_txlock=immediate"))
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

// copyNewer copies newer rows from the locked file to fresh, the copy that replaces it. The audit
// log of fresh is continued or replaced as audit.CopyRowsSQL describes, or else unchanged. From a
// damaged file it copies the rows that can be read.
func (s *lockedFile) copyNewer(ctx context.Context, fresh string) error {
	if s.pool == nil {
		return nil
	}
	if _, err := s.pool.ExecContext(ctx, "ATTACH ? AS fresh", fresh); err != nil {
		return ignoreDamage(err)
	}
	var failed error
	for _, one := range carriedTables {
		if err := s.copyNewerRows(ctx, one.table, one.script); err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", one.table, err))
		}
	}
	_, detached := s.pool.ExecContext(ctx, "DETACH fresh")
	return errors.Join(failed, detached)
}

// copyNewerRows runs a script in one transaction, so that a damaged file leaves fresh unchanged.
func (s *lockedFile) copyNewerRows(ctx context.Context, table, script string) error {
	const of = "SELECT name FROM pragma_table_info('%s', '%s')"
	mainColumns, err := sqlite.QueryStrings(ctx, s.pool, fmt.Sprintf(of, table, "main"))
	if err != nil {
		return ignoreDamage(err)
	}
	freshColumns, err := sqlite.QueryStrings(ctx, s.pool, fmt.Sprintf(of, table, "fresh"))
	if err != nil {
		return err
	}
	to, from := sharedColumns(freshColumns, mainColumns)
	if len(to) == 0 { // the file is older than this table
		return nil
	}
	t, err := s.pool.BeginTx(ctx, nil)
	if err != nil {
		return ignoreDamage(err)
	}
	if _, err := t.ExecContext(ctx, fmt.Sprintf(script, strings.Join(to, ", "), strings.Join(from, ", "))); err != nil {
		return errors.Join(ignoreDamage(err), t.Rollback())
	}
	return ignoreDamage(t.Commit())
}

// sharedColumns returns the columns that two versions of a table share: in to by their names in
// fresh, and in from by those in main. A column that has another name at the same position was
// renamed: migrations add columns only at the end.
func sharedColumns(fresh, main []string) (to, from []string) {
	for i, column := range main {
		switch {
		case slices.Contains(fresh, column):
			to, from = append(to, column), append(from, column)
		case i < len(fresh) && !slices.Contains(main, fresh[i]):
			to, from = append(to, fresh[i]), append(from, column)
		}
	}
	return to, from
}

// ignoreDamage returns nil for errors that a damaged file can cause. That file is about to be
// replaced.
func ignoreDamage(err error) error {
	if err = sqlite.Classify(err); errors.Is(err, store.ErrCorrupt) || errors.Is(err, store.ErrIO) {
		return nil
	}
	return err
}
