package postgres

import (
	"context"
	"fmt"
	"log/slog"
	"reflect"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"kota/store"
	"kota/store/engine"
)

// A DB is the part of a Server that belongs to one person. It is safe for concurrent use. An unused
// one holds no connection and no goroutine.
type DB struct {
	*Server
	name   string
	tenant int64
	absent bool // nobody has this number, see Server.Tenant

	extensions struct {
		made  sync.Map // type → its value
		mu    sync.Mutex
		hooks atomic.Pointer[[]engine.Hook]
	}
}

// Dialect returns engine.Postgres.
func (db *DB) Dialect() engine.Dialect { return engine.Postgres }

// Owner returns the number of the person, whatever the name: a DB has the rows of one person only.
func (db *DB) Owner(string) any { return db.tenant }

// Now returns the time of the server's clock, like Tx.Now, as far as the last comparison of the
// clocks tells. It asks nothing.
func (s *Server) Now() time.Time {
	if s.fixed != nil {
		return s.fixed()
	}
	return s.now().Add(-time.Duration(s.ahead.Load()))
}

// Log returns the logger of Options.
func (s *Server) Log() *slog.Logger { return s.log }

// Sealer returns the Sealer for secrets, or nil if secrets are neither stored nor read.
func (s *Server) Sealer() store.Sealer { return s.sealer }

// FileBytes returns 0: the files belong to the server.
func (s *Server) FileBytes() int64 { return 0 }

// Background returns the context for background work. It ends when the Server is closed.
func (s *Server) Background() context.Context { return s.running }

// RunRecovered runs background work and returns its error. It returns a panic as an error with the
// name of the work. It logs the name, the type of the panic value and the stack, but not the value,
// which may quote a memory.
func (s *Server) RunRecovered(name string, work func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: panic: a %T", name, p)
			s.log.Error("panic", "in", name, "with", fmt.Sprintf("%T", p), "stack", string(debug.Stack()))
		}
	}()
	return work()
}

// Extend returns the value for key that belongs to db, and creates it the first time.
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

// Absent reports whether the person did not exist when Tenant was called, and was not created.
func (db *DB) Absent() bool { return db.absent }

// number returns the number of the person.
func (db *DB) number() int64 { return db.tenant }

// Close lets the hooks of the person write pending data. It does not close the Server. Tenant then
// returns another DB for the person, so that a new user of the Server has hooks of its own.
func (db *DB) Close() error {
	db.mu.Lock()
	if db.tenants[db.name] == db {
		delete(db.tenants, db.name)
	}
	db.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), idleClosing)
	defer cancel()
	db.closeOwnHooks(ctx)
	return nil
}
