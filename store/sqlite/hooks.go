package sqlite

import (
	"context"
	"log/slog"
	"os"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"kota/store"
	"kota/store/engine"
)

// extensions holds the values of Extend for one database, and their hooks.
type extensions struct {
	made  sync.Map // key → value
	mu    sync.Mutex
	hooks atomic.Pointer[[]engine.Hook]
}

// Extend returns the value for key that belongs to db. See engine.Extension.
func (db *DB) Extend(key reflect.Type, create func() (any, engine.Hook)) any {
	x := &db.extensions
	if value, ok := x.made.Load(key); ok {
		return value
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if value, ok := x.made.Load(key); ok {
		return value
	}
	value, hook := create()
	hooks := append(append([]engine.Hook{}, db.hooks()...), hook)
	x.hooks.Store(&hooks)
	x.made.Store(key, value)
	return value
}

// hooks returns the hooks of all extensions, in the order of creation.
func (db *DB) hooks() []engine.Hook {
	if hooks := db.extensions.hooks.Load(); hooks != nil {
		return *hooks
	}
	return nil
}

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
