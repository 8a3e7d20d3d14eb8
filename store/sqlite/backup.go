package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"

	"kota/store"
)

// backupPages is the number of pages that are copied between two progress reports: 2 MB.
const backupPages = 512

// Backup copies the database, as of one moment, to a new file at path (0600), and checks the
// copy. The copy has no pending approvals. Writes can continue during the backup. progress
// receives the numbers of copied and of all pages, and may be nil. Backup returns an error that
// matches os.ErrExist if the file exists. If it fails, it removes the file that it has created.
func (db *DB) Backup(ctx context.Context, path string, progress func(done, total int)) error {
	if err := db.backup(ctx, path, progress); err != nil {
		return fmt.Errorf("back up to %s: %w", path, Classify(err))
	}
	return nil
}

func (db *DB) backup(ctx context.Context, path string, progress func(done, total int)) (err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return err
	}
	// The empty file reserves the name, and sets the mode.
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(path))
		}
	}()
	conn, err := db.readPool.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := copyPages(ctx, conn, path, progress); err != nil {
		return err
	}
	return checkCopy(ctx, path)
}

// copyPages copies the database within one read transaction. Without a transaction, SQLite would
// restart the copy after each write by another connection.
func copyPages(ctx context.Context, conn *sql.Conn, path string, progress func(done, total int)) error {
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	tables := 0
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil { // takes the snapshot
		return err
	}
	return conn.Raw(func(driverConn any) error {
		backup, err := driverConn.(interface {
			NewBackup(string) (*sqlite.Backup, error)
		}).NewBackup(FileURI(path, "mode=rw"))
		if err != nil {
			return err
		}
		for more := true; more && err == nil; {
			if more, err = backup.Step(backupPages); err == nil {
				err = ctx.Err()
			}
			if progress != nil {
				progress(backup.PageCount()-backup.Remaining(), backup.PageCount())
			}
		}
		return errors.Join(err, backup.Finish())
	})
}

// checkCopy removes the pending approvals from the copy, and reads all of it. It also changes the
// copy from WAL to a single file, so that the copy is complete and can be read on read-only
// media.
func checkCopy(ctx context.Context, path string) error {
	pool, err := sql.Open("sqlite", FileURI(path, "mode=rw", "_busy_timeout=5000", "_journal_mode=DELETE"))
	if err != nil {
		return err
	}
	defer pool.Close()
	if _, err := pool.ExecContext(ctx, DeletePendingSQL); err != nil {
		return err
	}
	problems, err := QueryStrings(ctx, pool, "PRAGMA quick_check(5)")
	if err == nil && (len(problems) != 1 || problems[0] != "ok") {
		err = fmt.Errorf("%w: the check of the copy found %q", store.ErrCorrupt, problems)
	}
	return err
}

// Check reads the whole database and returns its problems, including missing tables. It returns
// an empty list for a sound database. It takes seconds per 100 MB. index.Check checks the search
// index.
func (db *DB) Check(ctx context.Context) ([]string, error) {
	problems, err := QueryStrings(ctx, db.readPool, "PRAGMA quick_check(20)")
	if errors.Is(Classify(err), store.ErrCorrupt) {
		return []string{Classify(err).Error()}, nil
	}
	if err == nil && len(problems) == 1 && problems[0] == "ok" {
		if problems, err = missingObjects(ctx, db.readPool); err == nil && len(problems) > 0 {
			return []string{"there is no " + strings.Join(problems, ", no ")}, nil
		}
	}
	if err == nil && len(problems) == 0 {
		problems, err = QueryStrings(ctx, db.readPool, `SELECT "table" || ' row ' || rowid || ' points to no row of ' || parent FROM pragma_foreign_key_check`)
	}
	if err != nil {
		return nil, fmt.Errorf("check database: %w", Classify(err))
	}
	return problems, nil
}

// CheckWhole reads the whole file at path without changing it. No other process may use the file.
// Classify of its error matches ErrForeign for an empty file, and for a file of another program.
// It matches ErrNewer for a file of a newer KOTA, and ErrCorrupt for a damaged or incomplete one.
func CheckWhole(ctx context.Context, path string) error {
	pool, err := sql.Open("sqlite", FileURI(path, "mode=ro", "immutable=1"))
	if err != nil {
		return err
	}
	defer pool.Close()
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	applied, err := checkSchema(ctx, conn, len(schemas))
	if err := errors.Join(err, conn.Close()); err != nil {
		return err
	}
	if applied == 0 {
		return fmt.Errorf("%w: it is empty", store.ErrForeign)
	}
	problems, err := QueryStrings(ctx, pool, "PRAGMA quick_check(5)")
	if err != nil {
		return err
	}
	if len(problems) != 1 || problems[0] != "ok" {
		return fmt.Errorf("%w: %s", store.ErrCorrupt, strings.Join(problems, "; "))
	}
	absent, err := missingObjects(ctx, pool)
	if err == nil && len(absent) > 0 {
		err = fmt.Errorf("%w: it has no %s", store.ErrCorrupt, strings.Join(absent, ", no "))
	}
	return err
}

// QueryStrings returns the values of a query with one column.
func QueryStrings(ctx context.Context, pool *sql.DB, query string) ([]string, error) {
	rows, err := pool.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := []string{}
	for rows.Next() {
		text := ""
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		found = append(found, text)
	}
	return found, rows.Err()
}
