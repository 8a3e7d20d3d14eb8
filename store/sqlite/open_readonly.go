package sqlite

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"

	"kota/store"
)

// inMemory opens a database in the memory of the process. All connections with the same name
// share it (https://sqlite.org/src/file/src/memdb.c).
const inMemory = "vfs=memdb"

// findFile records the identity of the file. It does not create the file. db.identity stays nil
// if the file is missing or empty.
func (db *DB) findFile() error {
	info, err := os.Stat(db.path)
	if errors.Is(err, os.ErrNotExist) || err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		return nil
	}
	return db.identifyFile()
}

// makePlaceholder creates an empty database in memory, with the current tables. The database
// exists as long as the connection in db.placeholder.
func (db *DB) makePlaceholder(ctx context.Context, schemas []string) error {
	db.memoryName = "/kota-" + rand.Text() // names with a slash are shared between connections
	pool, err := sql.Open("sqlite", FileURI(db.memoryName, inMemory))
	if err != nil {
		return err
	}
	db.placeholder = pool
	pool.SetMaxOpenConns(1)
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return db.migrate(ctx, conn, 0, schemas)
}

// removeEmptyWAL removes the WAL that SQLite created for reading, if it is empty and no other
// process has the file open. It opens and closes the file with a connection that may write: when
// SQLite closes the last such connection, it removes the WAL. The WAL stays if that fails.
func (db *DB) removeEmptyWAL() {
	wal, err := os.Stat(db.path + "-wal")
	if err != nil || wal.Size() > 0 || db.placeholder != nil || db.immutable {
		return
	}
	pool, err := sql.Open("sqlite", FileURI(db.path, "mode=rw"))
	if err != nil {
		return
	}
	defer pool.Close()
	version := 0
	if err := pool.QueryRow("PRAGMA schema_version").Scan(&version); err != nil {
		db.log.Debug("an empty write-ahead log stays next to the database", "file", db.path, "err", err)
	}
}

// Outdated reports whether the path for which a placeholder was opened now has a file that is
// not empty.
func (db *DB) Outdated() bool {
	if db.placeholder == nil {
		return false
	}
	info, err := os.Stat(db.path)
	return err == nil && info.Size() > 0
}

// upToDate returns ErrOlder unless the file has had every migration step.
func upToDate(applied, known int) error {
	if applied == known {
		return nil
	}
	return fmt.Errorf("%w (the file has schema %d, and this KOTA needs %d)", store.ErrOlder, applied, known)
}
