package sqlite

import (
	"context"
	"log/slog"
	"os"
	"time"

	"kota/store"
	"kota/store/engine"
)

var _ engine.DB = (*DB)(nil)

// Dialect returns engine.SQLite.
func (db *DB) Dialect() engine.Dialect { return engine.SQLite }

// Owner returns the name: the column owner contains it.
func (db *DB) Owner(name string) any { return name }

// Now returns the time of the database's clock.
func (db *DB) Now() time.Time { return db.now() }

// Path returns the path of the file.
func (db *DB) Path() string { return db.path }

// Log returns the logger of Options.
func (db *DB) Log() *slog.Logger { return db.log }

// Sealer returns the Sealer for secrets, or nil if secrets are neither stored nor read.
func (db *DB) Sealer() store.Sealer { return db.sealer }

// RunRecovered runs background work and returns its error. See engine.RunRecovered.
func (db *DB) RunRecovered(name string, work func() error) error {
	return engine.RunRecovered(db.log, name, work)
}

// Background returns the context for background work. The context ends when the database is
// closed.
func (db *DB) Background() context.Context { return db.idleWork.ctx }

// FileBytes returns the size of the database and its journal.
func (db *DB) FileBytes() (size int64) {
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(db.path + suffix); err == nil {
			size += info.Size()
		}
	}
	return size
}
