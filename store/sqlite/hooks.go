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

// A Hook is what a package that keeps tables of its own adds to what the database
// does. Functions that are nil are left out.
type Hook struct {
	// BeforeCommit may add to a transaction. It is told in which contexts rows may
	// have been changed; its error takes the whole transaction back.
	BeforeCommit func(t *Tx, changes []context.Context) error
	// AfterCommit is told how the commit went for which BeforeCommit was called.
	AfterCommit func(err error)
	// Tidy does what may wait until nobody writes any more. What fails is tried again.
	Tidy func(context.Context) error
	// Close writes what waits, before the database is closed, as far as there is time.
	Close func(context.Context)
}

// extensions are what packages with tables of their own keep of one database.
type extensions struct {
	made  sync.Map // type → a pointer to it
	mu    sync.Mutex
	hooks atomic.Pointer[[]Hook]
}

// Extension returns the T of db, a type of the package that calls it. begin makes it
// when it is asked for first, with the Hook that belongs to it.
func Extension[T any](db *DB, begin func() (*T, Hook)) *T {
	x, of := &db.extensions, reflect.TypeFor[T]()
	if made, ok := x.made.Load(of); ok {
		return made.(*T)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if made, ok := x.made.Load(of); ok {
		return made.(*T)
	}
	made, hook := begin()
	hooks := append(append([]Hook{}, db.hooks()...), hook)
	x.hooks.Store(&hooks)
	x.made.Store(of, made)
	return made
}

// hooks are those of all extensions, in the order in which these were made.
func (db *DB) hooks() []Hook {
	if hooks := db.extensions.hooks.Load(); hooks != nil {
		return *hooks
	}
	return nil
}

// Now is the time on the database's clock.
func (db *DB) Now() time.Time { return db.now() }

// Path is where the file is.
func (db *DB) Path() string { return db.path }

// Log is where repairs and reduced guarantees are told.
func (db *DB) Log() *slog.Logger { return db.log }

// Sealer encrypts secrets; nil where none are kept or read.
func (db *DB) Sealer() store.Sealer { return db.sealer }

// Background is for work that nobody waits for. It ends when the database is
// closed.
func (db *DB) Background() context.Context { return db.idle.ctx }
