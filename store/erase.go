package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"time"
)

// An Erased says what was erased, and whether the text has left the disk.
type Erased struct {
	Keys   []string // never nil
	Gone   bool     // no byte of it is left in the file and its journal
	Reason string   // why it is not, as far as is known; "" when it is
	Copies []string // files next to the database, made before a migration, that may still have it
}

// Erase removes memories for good, with all their versions: they cannot be
// restored, and the undo ids they were part of restore the rest. A key must be
// spelled as it is kept, and may be that of a deleted memory. With dryRun
// it only says which. It returns a *NotFoundError for a key that is not kept,
// with the other spellings that are.
//
// The file is written anew without the text, which takes seconds for some 100
// MB, and the journal is emptied. While another process is reading that cannot
// be done: Gone is false then, and Reason says so. Backups and
// copies elsewhere keep what they have, and so may an SSD, until it reuses the
// blocks.
func (m *Memories) Erase(ctx context.Context, target Target, dryRun bool) (Erased, error) {
	erased, err := m.erase(ctx, target, dryRun)
	if err != nil {
		return Erased{}, fmt.Errorf("erase %q: %w", target.Key, named(err))
	}
	return erased, nil
}

func (m *Memories) erase(ctx context.Context, target Target, dryRun bool) (Erased, error) {
	if dryRun {
		found, err := m.kept(reading{ctx, m.db}, target, m.db.now())
		return Erased{Keys: keysOf(found)}, err
	}
	erased := Erased{}
	err := m.db.write(ctx, func(t *tx) error {
		found, err := m.kept(t, target, t.now())
		if err != nil {
			return err
		}
		erased = Erased{Keys: keysOf(found)}
		for _, one := range found {
			if err := t.eraseMemory(one.ID); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || len(erased.Keys) == 0 {
		return erased, err
	}
	// The rows are gone now: what fails from here on is told, not returned.
	erased.Gone = true
	if err := m.db.cleanFile(ctx); err != nil {
		erased.Gone, erased.Reason = false, err.Error()
	}
	erased.Copies, _ = filepath.Glob(globSafe(m.db.path) + ".schema*.bak*")
	return erased, nil
}

// kept returns the memories that a target names, deleted ones too.
func (m *Memories) kept(q lookup, target Target, now time.Time) ([]*Memory, error) {
	where, args := target.Filter.where(m.owner, now)
	if target.Key != "" {
		where, args = "owner = ? AND norm = ? AND key = ?", []any{m.owner, Normal(target.Key), cleanKey(target.Key)}
	}
	rows, err := q.query("SELECT "+columns+" FROM memories WHERE "+where+" ORDER BY norm, key", args...)
	if err != nil {
		return nil, err
	}
	found, err := scanMemories(rows)
	if err != nil || target.Key == "" || len(found) > 0 {
		return found, err
	}
	others, _, err := m.spellings(q, target.Key, now)
	if err != nil {
		return nil, err
	}
	return nil, &NotFoundError{Key: cleanKey(target.Key), Kept: others}
}

// eraseMemory removes the rows of a memory.
func (t *tx) eraseMemory(id int64) error {
	if err := memoryIndex.remove(t, []int64{id}); err != nil {
		return err
	}
	// Other rows of the same act still name it by the number of the row that
	// goes, which is never given again.
	for _, query := range []string{
		"DELETE FROM versions WHERE memory = ?1",
		"DELETE FROM memories WHERE id = ?1",
	} {
		if _, err := t.exec(query, id); err != nil {
			return err
		}
	}
	return nil
}

// cleanFile writes the file anew, and empties the journal. Overwriting what is
// deleted (secure_delete) would not do alone: SQLite leaves copies of a row
// behind when it splits a page.
func (db *DB) cleanFile(ctx context.Context) error {
	err := db.alone(ctx, func(conn *sql.Conn) error {
		return whileBusy(ctx, func() error {
			_, err := conn.ExecContext(ctx, "VACUUM")
			return err
		})
	})
	if err != nil {
		return fmt.Errorf("write the file anew: %w", err)
	}
	return db.emptyJournal(ctx)
}

// emptyJournal waits for readers to finish, but not for ever.
func (db *DB) emptyJournal(ctx context.Context) (err error) {
	for range 10 {
		err = db.alone(ctx, func(conn *sql.Conn) error { return truncateWAL(ctx, conn) })
		if !errors.Is(err, ErrBusy) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(100 * time.Millisecond):
		}
	}
	return err
}

// truncateWAL moves the WAL into the database and makes it an empty file. A
// database without WAL has nothing to move.
func truncateWAL(ctx context.Context, conn *sql.Conn) error {
	busy, frames, moved := 0, 0, 0
	err := conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved)
	if err == nil && busy != 0 {
		err = fmt.Errorf("%w: another process is reading it, so its journal keeps the text until the last one closes it", ErrBusy)
	}
	return err
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
