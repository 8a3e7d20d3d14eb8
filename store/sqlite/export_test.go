package sqlite

import (
	"context"
	"database/sql"
	"strconv"
	"testing"

	"kota/store/engine"
)

// LimitPages limits the growth of the file to some pages. SQLite then reports a full disk.
func LimitPages(t *testing.T, db *DB) {
	t.Helper()
	err := db.Exclusive(t.Context(), func(conn *sql.Conn) error {
		pages := 0
		if err := conn.QueryRowContext(t.Context(), "PRAGMA page_count").Scan(&pages); err != nil {
			return err
		}
		return conn.QueryRowContext(t.Context(), "PRAGMA max_page_count = "+strconv.Itoa(pages+20)).Scan(&pages)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Steps is the number of migration steps.
var Steps = len(schemas)

// FirstSteps returns Options with only the first migration steps.
func FirstSteps(opts Options, steps int) Options {
	opts.schemas = schemas[:steps]
	return opts
}

// FirstStepOnly returns Options with only the first migration step.
func FirstStepOnly(opts Options) Options { return FirstSteps(opts, 1) }

// AddFirstStepMemory adds a memory of ann to a database opened with Old. FirstStepKeys returns its keys.
func AddFirstStepMemory(t *testing.T, db *DB, key, value string) {
	t.Helper()
	err := db.Write(t.Context(), func(tx engine.Tx) error {
		return tx.Exec(`INSERT INTO memories (owner, key, norm, value, category, tags, source, importance, pinned, created, updated, version, stale)
			VALUES ('ann', ?1, ?1, ?2, '', '[]', '', 0, 0, 1, 1, 1, 1)`, key, value)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func FirstStepKeys(t *testing.T, db *DB) []string {
	t.Helper()
	keys, err := QueryStrings(t.Context(), db.readPool, "SELECT key FROM memories")
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// OnFilesystem returns Options that report a type of file system for every folder.
func OnFilesystem(opts Options, fstype string) Options {
	opts.filesystem = func(string) string { return fstype }
	return opts
}

// Journal returns the journal mode of the writing connection.
func Journal(t *testing.T, db *DB) (mode string) {
	t.Helper()
	err := db.Exclusive(t.Context(), func(conn *sql.Conn) error {
		return conn.QueryRowContext(t.Context(), "PRAGMA journal_mode").Scan(&mode)
	})
	if err != nil {
		t.Fatal(err)
	}
	return mode
}

// EndTransaction ends the transaction, as SQLite does when the disk fails.
func EndTransaction(t engine.Tx) { t.(*tx).rollback() }

// RunIdleWork runs the background work.
func (db *DB) RunIdleWork(ctx context.Context) error { return db.runIdleWork(ctx) }

// StopIdleWork stops all background work.
func (db *DB) StopIdleWork() { db.idleWork.close(closeTimeout) }

// HoldWriteLock holds the write lock until release is called.
func (db *DB) HoldWriteLock() (release func()) {
	db.writer.lock <- struct{}{}
	return func() { <-db.writer.lock }
}

// QueuedWrites returns the number of queued writes.
func (db *DB) QueuedWrites() int {
	db.writer.mu.Lock()
	defer db.writer.mu.Unlock()
	return len(db.writer.queue)
}

// MetaNames returns the names in the table meta.
func MetaNames(t testing.TB, db *DB) []string {
	t.Helper()
	names, err := QueryStrings(t.Context(), db.readPool, "SELECT name FROM meta")
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// WithoutBusyTimeout sets SQLite's own busy timeout to zero.
func WithoutBusyTimeout(t *testing.T, db *DB) {
	t.Helper()
	err := db.Exclusive(t.Context(), func(conn *sql.Conn) error {
		_, err := conn.ExecContext(t.Context(), "PRAGMA busy_timeout = 0")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
