package sqlite

import (
	"context"
	"log/slog"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"kota/store"
)

// A Hook lets a package with tables of its own take part in the work of the database. Nil
// functions are not called.
type Hook struct {
	// BeforeCommit may write more rows in a transaction. changes has the context of each write
	// in the transaction that may have changed rows. Writes by WriteUnaudited are left out. An
	// error rolls back the whole transaction.
	BeforeCommit func(t *Tx, changes []context.Context) error
	// AfterCommit receives the result of the commit. It is also called if a BeforeCommit failed.
	AfterCommit func(err error)
	// OnIdle does work that can wait until the database is idle. It is called again if it fails.
	OnIdle func(context.Context) error
	// Close writes pending data before the database is closed. It stops when the context ends.
	Close func(context.Context)
}

// extensions holds the values of Extension for one database, and their hooks.
type extensions struct {
	made  sync.Map // type → pointer to its value
	mu    sync.Mutex
	hooks atomic.Pointer[[]Hook]
}

// Extension returns the value of type T that belongs to db. T is a type of the calling package.
// The first call creates the value with create, and registers the Hook that create returns.
func Extension[T any](db *DB, create func() (*T, Hook)) *T {
	x, key := &db.extensions, reflect.TypeFor[T]()
	if value, ok := x.made.Load(key); ok {
		return value.(*T)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if value, ok := x.made.Load(key); ok {
		return value.(*T)
	}
	value, hook := create()
	hooks := append(append([]Hook{}, db.hooks()...), hook)
	x.hooks.Store(&hooks)
	x.made.Store(key, value)
	return value
}

// hooks returns the hooks of all extensions, in the order of creation.
func (db *DB) hooks() []Hook {
	if hooks := db.extensions.hooks.Load(); hooks != nil {
		return *hooks
	}
	return nil
}

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
