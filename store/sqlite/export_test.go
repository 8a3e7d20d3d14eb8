package sqlite

import (
	"context"
	"database/sql"
	"strconv"
	"testing"
)

// LimitPages lets the file grow no further than some pages from now, which
// SQLite reports as it does a full disk.
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

// Steps are how many steps of migration there are.
var Steps = len(schemas)

// Upto is Options that know so many steps of migration only.
func Upto(opts Options, steps int) Options {
	opts.schemas = schemas[:steps]
	return opts
}

// Old is Options that know the first step of migration only.
func Old(opts Options) Options { return Upto(opts, 1) }

// AddOld adds a memory of ann's to a database of Old, and KeysOfOld are those
// that it has.
func AddOld(t *testing.T, db *DB, key, value string) {
	t.Helper()
	err := db.Write(t.Context(), func(tx *Tx) error {
		_, err := tx.Exec(`INSERT INTO memories (owner, key, norm, value, category, tags, source, importance, pinned, created, updated, version, stale)
			VALUES ('ann', ?1, ?1, ?2, '', '[]', '', 0, 0, 1, 1, 1, 1)`, key, value)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func KeysOfOld(t *testing.T, db *DB) []string {
	t.Helper()
	keys, err := Texts(t.Context(), db.reading, "SELECT key FROM memories")
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// On is Options that find every folder on a type of file system.
func On(opts Options, fstype string) Options {
	opts.filesystem = func(string) string { return fstype }
	return opts
}

// Journal is the journal mode of the connection that writes.
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

// Lose ends the transaction as SQLite does by itself when the disk fails.
func (t *Tx) Lose() { t.rollback() }

// Tidy does what is done when nobody writes any more.
func (db *DB) Tidy(ctx context.Context) error { return db.tidy(ctx) }

// Unattended lets nothing be done in the background any more.
func (db *DB) Unattended() { db.idle.close(closePatience) }

// Hold keeps the turn to write until release is called.
func (db *DB) Hold() (release func()) {
	db.writer.lock <- struct{}{}
	return func() { <-db.writer.lock }
}

// Waiting is how many writes wait for the turn.
func (db *DB) Waiting() int {
	db.writer.mu.Lock()
	defer db.writer.mu.Unlock()
	return len(db.writer.queue)
}

// Notes are the names in the table meta.
func Notes(t *testing.T, db *DB) []string {
	t.Helper()
	names, err := Texts(t.Context(), db.reading, "SELECT name FROM meta")
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// Impatient takes SQLite's own waiting for locks away.
func Impatient(t *testing.T, db *DB) {
	t.Helper()
	err := db.Exclusive(t.Context(), func(conn *sql.Conn) error {
		_, err := conn.ExecContext(t.Context(), "PRAGMA busy_timeout = 0")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
