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
)

// Rows that were erased leave their text behind in the file and its journal,
// until it is cleaned. That this is due is noted in meta by the transaction
// that erases, so that it is not forgotten when it must wait for a reader or
// the process dies. The note "erased" marks the last erasure, and "rewritten"
// has the same mark when the file was written anew since and only the journal
// is left.
const (
	noteErased    = "INSERT OR REPLACE INTO meta (name, value) VALUES ('erased', hex(randomblob(8)))"
	noteRewritten = "INSERT OR REPLACE INTO meta (name, value) VALUES ('rewritten', ?)"
	noteClean     = "DELETE FROM meta WHERE name IN ('erased', 'rewritten') AND value = ?" // unless another erased meanwhile
	marks         = "SELECT coalesce(max(value) FILTER (WHERE name = 'erased'), ''), coalesce(max(value) FILTER (WHERE name = 'rewritten'), '') FROM meta"
)

// Erase removes rows and then their text from the file. It is told which rows
// were removed.
func (db *DB) Erase(ctx context.Context, remove func(*Tx) ([]string, error)) (store.Erased, error) {
	erased := store.Erased{}
	err := db.Write(ctx, func(t *Tx) error {
		erased = store.Erased{Keys: []string{}}
		keys, err := remove(t)
		if err != nil || len(keys) == 0 {
			return err
		}
		erased.Keys = keys
		return t.NoteErased()
	})
	if err == nil && len(erased.Keys) > 0 {
		return db.Cleaned(ctx, erased), nil
	}
	due, err := db.EraseIsDue(ctx, err)
	if err != nil || !due {
		return erased, err
	}
	return db.Cleaned(ctx, erased), nil
}

// Cleaned takes the text out of the file, whose rows are gone. So what fails
// is told, not returned, and tried again later.
func (db *DB) Cleaned(ctx context.Context, erased store.Erased) store.Erased {
	erased.Gone, erased.Copies = true, db.copies()
	if err := db.clean(ctx, journalTries); err != nil {
		erased.Gone, erased.Reason = false, err.Error()
		db.idle.tryAgain()
	}
	return erased
}

// journalTries bounds how often Erase looks whether readers have left the
// journal, every tenth of a second.
const journalTries = 10

// EraseIsDue reports whether the file is to be cleaned. It is told how erasing the
// rows went: that a key is not kept is no error while it may be one whose text
// is still there, unless another spelling is what was meant.
func (db *DB) EraseIsDue(ctx context.Context, erasing error) (bool, error) {
	missing := (*store.NotFoundError)(nil)
	if erasing != nil && (!errors.As(erasing, &missing) || len(missing.Kept) > 0) {
		return false, erasing
	}
	due, err := db.isDirty(ctx)
	if err == nil && !due {
		err = erasing
	}
	return due, err
}

// copies are the files beside the database that may still have what was in it:
// those made before a migration, and backups named after it, as kota-*.db of
// kota.db.
func (db *DB) copies() []string {
	path := globSafe(db.path)
	extension := filepath.Ext(path)
	found := []string{}
	for _, pattern := range []string{path + ".schema*.bak*", strings.TrimSuffix(path, extension) + "-*" + extension} {
		some, _ := filepath.Glob(pattern) // fails for a bad pattern alone
		found = append(found, some...)
	}
	return found
}

// globSafe quotes the characters of a path that filepath.Glob reads as a
// pattern.
func globSafe(path string) string {
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

// NoteErased notes that what the write removes is to be taken out of the file.
func (t *Tx) NoteErased() error {
	_, err := t.Exec(noteErased)
	return err
}

// isDirty reports whether cleaning is due.
func (db *DB) isDirty(ctx context.Context) (bool, error) {
	erased, rewritten := "", ""
	err := db.Read(ctx).Row(marks).Scan(&erased, &rewritten)
	return erased != "", err
}

// clean removes from the file and its journal what was erased, when that is
// due. It looks tries times whether readers have left the journal.
func (db *DB) clean(ctx context.Context, tries int) error {
	select {
	case db.cleaning <- struct{}{}:
		defer func() { <-db.cleaning }()
	case <-ctx.Done():
		return ctx.Err()
	}
	erased, rewritten := "", ""
	err := db.Read(ctx).Row(marks).Scan(&erased, &rewritten)
	if err != nil || erased == "" {
		return err
	}
	if rewritten != erased {
		if err := db.rewrite(ctx, erased); err != nil {
			return fmt.Errorf("write the file anew: %w", err)
		}
	}
	if err := db.emptyJournal(ctx, tries); err != nil {
		return err
	}
	return db.note(ctx, noteClean, erased)
}

// rewrite writes the file anew. Overwriting what is deleted (secure_delete)
// would not do alone: SQLite leaves copies of a row behind when it splits a
// page.
func (db *DB) rewrite(ctx context.Context, mark string) error {
	err := db.Exclusive(ctx, func(conn *sql.Conn) error {
		return whileBusy(ctx, db.writer.stop, func() error {
			_, err := conn.ExecContext(ctx, "VACUUM")
			return err
		})
	})
	if err != nil {
		return err
	}
	return db.note(ctx, noteRewritten, mark)
}

func (db *DB) note(ctx context.Context, query, mark string) error {
	return db.Write(ctx, func(t *Tx) error {
		_, err := t.Exec(query, mark)
		return err
	})
}

// emptyJournal waits for readers to finish, but not for ever.
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

// truncateWAL moves the WAL into the database and makes it an empty file. A
// database without WAL has nothing to move.
func truncateWAL(ctx context.Context, conn *sql.Conn) error {
	busy, frames, moved := 0, 0, 0
	err := conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved)
	if err == nil && busy != 0 {
		err = fmt.Errorf("%w: another process is reading it, so its journal keeps the text until that has ended", store.ErrBusy)
	}
	return err
}
