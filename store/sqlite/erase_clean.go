package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
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

// isDirty reports whether cleaning is due.
func (db *DB) isDirty(ctx context.Context) (bool, error) {
	erased, rewritten := "", ""
	err := reader{ctx, db}.row(marks).Scan(&erased, &rewritten)
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
	err := reader{ctx, db}.row(marks).Scan(&erased, &rewritten)
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
	err := db.exclusive(ctx, func(conn *sql.Conn) error {
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
	return db.write(ctx, func(t *tx) error {
		_, err := t.exec(query, mark)
		return err
	})
}

// emptyJournal waits for readers to finish, but not for ever.
func (db *DB) emptyJournal(ctx context.Context, tries int) error {
	for try := 1; ; try++ {
		err := db.exclusive(ctx, func(conn *sql.Conn) error { return truncateWAL(ctx, conn) })
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
