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

// inMemory keeps a database in the memory of the process, where all connections
// that name it see the same one (https://sqlite.org/src/file/src/memdb.c).
const inMemory = "vfs=memdb"

// findFile looks for the file and makes none: without one, opened stays nil. An
// empty file is one that nobody has begun to use.
func (db *DB) findFile() error {
	info, err := os.Stat(db.path)
	if errors.Is(err, os.ErrNotExist) || err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		return nil
	}
	return db.lookAt()
}

// makePlaceholder makes an empty database in memory, with today's tables. It lasts
// as long as the connection that is kept to it.
func (db *DB) makePlaceholder(ctx context.Context, schemas []string) error {
	db.memory = "/kota-" + rand.Text() // a name with a slash is shared
	standIn, err := sql.Open("sqlite", FileURI(db.memory, inMemory))
	if err != nil {
		return err
	}
	db.placeholder = standIn
	standIn.SetMaxOpenConns(1)
	conn, err := standIn.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return db.migrate(ctx, conn, 0, schemas)
}

// tidyUp takes away the log that reading made SQLite put beside the file, when
// nothing is in it and nobody else has the file open: SQLite itself does so when
// the last connection that may write is closed. Where that cannot be, it stays.
func (db *DB) tidyUp() {
	log, err := os.Stat(db.path + "-wal")
	if err != nil || log.Size() > 0 || db.placeholder != nil || db.immutable {
		return
	}
	last, err := sql.Open("sqlite", FileURI(db.path, "mode=rw"))
	if err != nil {
		return
	}
	defer last.Close()
	seen := 0
	if err := last.QueryRow("PRAGMA schema_version").Scan(&seen); err != nil {
		db.log.Debug("an empty log stays beside the database", "file", db.path, "err", err)
	}
}

// Outdated reports whether there is a file by now where a placeholder was opened,
// because there was none.
func (db *DB) Outdated() bool {
	if db.placeholder == nil {
		return false
	}
	info, err := os.Stat(db.path)
	return err == nil && info.Size() > 0
}

// upToDate returns ErrOlder when a file has not seen every step of migration.
func upToDate(seen, known int) error {
	if seen == known {
		return nil
	}
	return fmt.Errorf("%w (schema %d, this one needs %d)", store.ErrOlder, seen, known)
}
