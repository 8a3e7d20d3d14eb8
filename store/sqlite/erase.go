package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"kota/store"
	"kota/store/engine"
)

// Erased rows leave their text in the file and its journal until the file is cleaned. The erasing
// transaction sets a mark in the table meta. The mark stays until the file is cleaned, even if
// that must wait for a reader or the process dies. "erased" identifies the last erasure.
// "rewritten" gets the same value after the file was rewritten, when only the journal remains to
// be emptied.
const (
	markErased    = "INSERT OR REPLACE INTO meta (name, value) VALUES ('erased', hex(randomblob(8)))"
	markRewritten = "INSERT OR REPLACE INTO meta (name, value) VALUES ('rewritten', ?)"
	removeMarks   = "DELETE FROM meta WHERE name IN ('erased', 'rewritten') AND value = ?" // keeps the marks of a later erasure
	selectMarks   = "SELECT coalesce(max(value) FILTER (WHERE name = 'erased'), ''), coalesce(max(value) FILTER (WHERE name = 'rewritten'), '') FROM meta"
)

// Erase removes rows, and then their text from the file. remove returns the keys of the removed
// rows.
func (db *DB) Erase(ctx context.Context, remove func(engine.Tx) ([]string, error)) (store.EraseResult, error) {
	erased := store.EraseResult{}
	err := db.Write(ctx, func(t engine.Tx) error {
		erased = store.EraseResult{Keys: []string{}}
		keys, err := remove(t)
		if err != nil || len(keys) == 0 {
			return err
		}
		erased.Keys = keys
		return t.MarkErased()
	})
	if err == nil && len(erased.Keys) > 0 {
		return db.CleanErased(ctx, erased), nil
	}
	due, err := db.CleaningDue(ctx, err)
	if err != nil || !due {
		return erased, err
	}
	return db.CleanErased(ctx, erased), nil
}

// CleanErased removes the text of erased rows from the file. The rows are already removed, so it
// reports a failure in the result and not as an error. After a failure, idle work tries again.
func (db *DB) CleanErased(ctx context.Context, erased store.EraseResult) store.EraseResult {
	erased.Complete, erased.Copies = true, db.oldCopies()
	if err := db.clean(ctx, journalTries); err != nil {
		erased.Complete, erased.Reason = false, err.Error()
		db.idleWork.retry()
	}
	return erased
}

// journalTries limits how often Erase checks, every 100 ms, whether readers have released the
// journal.
const journalTries = 10

// CleaningDue reports whether the file must be cleaned. removeErr is the error of removing the
// rows. If removeErr says that the key does not exist, CleaningDue ignores it while text of an
// erased row may still be in the file. It returns any other removeErr, also if the key exists in
// a different spelling.
func (db *DB) CleaningDue(ctx context.Context, removeErr error) (bool, error) {
	missing := (*store.NotFoundError)(nil)
	if removeErr != nil && (!errors.As(removeErr, &missing) || len(missing.OtherSpellings) > 0) {
		return false, removeErr
	}
	due, err := db.needsCleaning(ctx)
	if err == nil && !due {
		err = removeErr
	}
	return due, err
}

// oldCopies returns the files beside the database that may still contain its old content. These
// are copies made before a migration, and backups with a similar name: kota-*.db for kota.db.
func (db *DB) oldCopies() []string {
	path := quoteGlob(db.path)
	extension := filepath.Ext(path)
	found := []string{}
	for _, pattern := range []string{path + ".schema*.bak*", strings.TrimSuffix(path, extension) + "-*" + extension} {
		matches, _ := filepath.Glob(pattern) // fails only for an invalid pattern
		found = append(found, matches...)
	}
	return found
}

// quoteGlob quotes the characters of a path that are special in filepath.Glob.
func quoteGlob(path string) string {
	var b bytes.Buffer
	for _, r := range path {
		if r == '*' || r == '?' || r == '[' {
			b.WriteString("[" + string(r) + "]")
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// MarkErased records that the text of the removed rows must be removed from the file.
func (t *tx) MarkErased() error { return t.Exec(markErased) }

// needsCleaning reports whether cleaning is due.
func (db *DB) needsCleaning(ctx context.Context) (bool, error) {
	erased, rewritten := "", ""
	err := db.Read(ctx).Row(selectMarks).Scan(&erased, &rewritten)
	return erased != "", err
}

// clean removes erased text from the file and its journal, if due. It checks up to tries times
// whether readers have released the journal.
func (db *DB) clean(ctx context.Context, tries int) error {
	select {
	case db.cleaning <- struct{}{}:
		defer func() { <-db.cleaning }()
	case <-ctx.Done():
		return ctx.Err()
	}
	erased, rewritten := "", ""
	err := db.Read(ctx).Row(selectMarks).Scan(&erased, &rewritten)
	if err != nil || erased == "" {
		return err
	}
	if rewritten != erased {
		if err := db.rewrite(ctx, erased); err != nil {
			return fmt.Errorf("rewrite the file: %w", err)
		}
	}
	if err := db.emptyJournal(ctx, tries); err != nil {
		return err
	}
	return db.setMark(ctx, removeMarks, erased)
}

// rewrite rewrites the file. Overwriting deleted text (secure_delete) is not enough: SQLite
// leaves copies of a row behind when it splits a page.
func (db *DB) rewrite(ctx context.Context, mark string) error {
	err := db.Exclusive(ctx, func(conn *sql.Conn) error {
		return retryBusy(ctx, db.writer.stop, func() error {
			_, err := conn.ExecContext(ctx, "VACUUM")
			return err
		})
	})
	if err != nil {
		return err
	}
	return db.setMark(ctx, markRewritten, mark)
}

func (db *DB) setMark(ctx context.Context, query, mark string) error {
	return db.Write(ctx, func(t engine.Tx) error { return t.Exec(query, mark) })
}

// emptyJournal empties the journal. While readers use the journal, it waits and tries again, up
// to tries times in total.
func (db *DB) emptyJournal(ctx context.Context, tries int) error {
	for try := 1; ; try++ {
		err := db.Exclusive(ctx, func(conn *sql.Conn) error { return truncateWAL(ctx, conn) })
		if !errors.Is(err, store.ErrBusy) || try >= tries {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// truncateWAL moves the WAL into the database and truncates it. It does nothing for a database
// without WAL.
func truncateWAL(ctx context.Context, conn *sql.Conn) error {
	busy, frames, moved := 0, 0, 0
	err := conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved)
	if err == nil && busy != 0 {
		err = fmt.Errorf("%w: another process is reading the database; until that process ends, the journal of the database contains the text", store.ErrBusy)
	}
	return err
}
