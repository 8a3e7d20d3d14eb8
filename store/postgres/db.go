package postgres

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"kota/store"
	"kota/store/engine"
)

// A DB is a handle on the part of a Server that belongs to one person. It is safe for concurrent use.
// An unused one holds no connection and no goroutine. Each handle has hooks of its own, which see only
// the changes through it.
type DB struct {
	*Server
	tenant int64
	person atomic.Pointer[string] // how stores call the person; nil before the first one

	engine.Extensions
}

// Dialect returns engine.Postgres.
func (db *DB) Dialect() engine.Dialect { return engine.Postgres }

// Owner returns the number of the person. All stores of a DB must use the same name, which may differ
// from the one given to Tenant. Owner panics for a second name, because a DB has the rows of one
// person. "" means any name.
func (db *DB) Owner(name string) any {
	if name == "" {
		return db.tenant
	}
	known := db.person.Load()
	if known == nil && db.person.CompareAndSwap(nil, &name) {
		return db.tenant
	}
	if known = db.person.Load(); *known != name {
		panic("postgres: stores of several people use the rows of one")
	}
	return db.tenant
}

// Now returns the time of the server's clock, like Tx.Now, as far as the last comparison of the
// clocks tells. It asks nothing.
func (s *Server) Now() time.Time {
	if s.testClock != nil {
		return s.testClock()
	}
	return s.localClock().Add(-time.Duration(s.clockAhead.Load()))
}

// Log returns the logger of Options.
func (s *Server) Log() *slog.Logger { return s.log }

// Sealer returns the Sealer for secrets, or nil if secrets are neither stored nor read.
func (s *Server) Sealer() store.Sealer { return s.sealer }

// FileBytes returns 0: the files belong to the server.
func (s *Server) FileBytes() int64 { return 0 }

// Background returns the context for background work. It ends when the Server is closed.
func (s *Server) Background() context.Context { return s.running }

// RunRecovered runs background work and returns its error. See engine.RunRecovered.
func (s *Server) RunRecovered(name string, work func() error) error {
	return engine.RunRecovered(s.log, name, work)
}

// number returns the number of the person.
func (db *DB) number() int64 { return db.tenant }

// Close lets the hooks write pending data. It closes neither the Server nor other DBs of the person.
func (db *DB) Close() error {
	db.mu.Lock()
	delete(db.handles, db)
	db.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), idleClosing)
	defer cancel()
	db.closeOwnHooks(ctx)
	return nil
}
