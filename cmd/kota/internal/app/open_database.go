package app

import (
	"context"
	"errors"
	"sync"
	"time"

	"kota/cmd/kota/internal/signin"
	"kota/entrypoint"
	"kota/store"
	"kota/store/postgres"
	"kota/store/sqlite"
)

// opener opens the database when it is first needed. Its mu is never held
// while the database is being opened.
type opener struct {
	mu      sync.Mutex
	opened  Database // nil until an attempt has succeeded
	attempt *attempt // the running attempt to open it; nil if none is running
	closed  bool

	failed   error // why the last attempt failed; nil if it succeeded
	failedAt time.Time

	checked   error // why the server accepted no writes at checkedAt
	checkedAt time.Time
}

// attempt is one attempt to open the database. All callers who need the
// database meanwhile wait for it.
type attempt struct {
	done chan struct{} // closed once the other fields are set
	db   Database
	err  error
}

// lastFailure returns when and why the last attempt to open the database
// failed. The error is nil if that attempt succeeded.
func (d *opener) lastFailure() (time.Time, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.failedAt, d.failed
}

// OpenDB returns the database, and opens it if needed. After a failure the next
// call tries again, because the user may have repaired the disk meanwhile.
// Under a profile that only reads, nothing can be written to the database.
// OpenDB returns store.ErrClosed after CloseDB. If ctx ends first, it returns
// the error of ctx, and the attempt continues for later callers.
func (a *App) OpenDB(ctx context.Context) (Database, error) {
	db, joined, err := a.openOrJoin(ctx)
	if joined && err != nil && ctx.Err() == nil {
		db, _, err = a.openOrJoin(ctx) // the other attempt may have begun before the repair
	}
	return db, err
}

// openOrJoin returns the database, and whether it waited for an attempt of
// another caller.
func (a *App) openOrJoin(ctx context.Context) (db Database, joined bool, err error) {
	d := &a.database
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		return nil, false, store.ErrClosed
	}
	if db := d.opened; db != nil && !db.Outdated() { // running calls may still read the outdated database
		d.mu.Unlock()
		return db, false, nil
	}
	joined = d.attempt != nil
	if !joined {
		d.attempt = &attempt{done: make(chan struct{})}
		go a.tryOpen(d.attempt)
	}
	current := d.attempt
	d.mu.Unlock()
	select {
	case <-current.done:
		return current.db, joined, current.err
	case <-ctx.Done():
		return nil, joined, ctx.Err()
	}
}

// tryOpen opens the database and sets the result of the attempt. One caller's
// deadline must not cancel the opening for the others.
func (a *App) tryOpen(opening *attempt) {
	d := &a.database
	defer func() {
		if p := recover(); p != nil { // nothing else recovers in this goroutine
			opening.db, opening.err = nil, entrypoint.ReportPanic(a.Log, "open the database", p)
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.closed && opening.err == nil {
			opening.db, opening.err = nil, errors.Join(store.ErrClosed, opening.db.Close())
		}
		if d.failed, d.failedAt = opening.err, time.Now(); opening.err == nil {
			d.opened = opening.db
		}
		d.attempt = nil
		close(opening.done)
	}()
	opening.db, opening.err = a.openDatabase(context.Background())
	if opening.err == nil {
		AuditLog(opening.db) // attach the log now, so that it records the first change
	}
}

// openDatabase opens the file, or the owner's part of the database of the server, as configured.
func (a *App) openDatabase(ctx context.Context) (Database, error) {
	sealer := signin.Sealer{Sealer: a.Accounts().Sealer("memory")}
	if !a.Config.HasServer() {
		db, err := sqlite.Open(ctx, a.Config.DBPath(), sqlite.Options{
			Now: a.Config.Now, Logger: a.Log, Version: Version, ReadOnly: a.Policy().ReadsOnly(), SmallCache: a.Config.Owner != "", Sealer: sealer,
		})
		if err != nil {
			return nil, err // not an interface that holds nil
		}
		return file{db, a.Tracer}, nil
	}
	name, err := a.Registry().DatabaseName()
	if err != nil {
		return nil, err
	}
	server, err := a.server.open(ctx, a)
	if err != nil {
		return nil, err
	}
	part, err := server.Tenant(ctx, name)
	if err != nil {
		return nil, err
	}
	return &tenantPart{DB: part, log: a.Log, sealer: sealer, readOnly: a.Policy().ReadsOnly(), tracer: a.Tracer}, nil
}

// A sharedServer is the database server of all owners of this process.
type sharedServer struct {
	mu     sync.Mutex
	opened *postgres.Server
	closed bool
}

// open returns the server, and connects to it the first time. It uses the clock of the database
// server, which all replicas share, unless KOTA_NOW fixes the clock.
func (s *sharedServer) open(ctx context.Context, a *App) (*postgres.Server, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, store.ErrClosed
	}
	if s.opened != nil {
		return s.opened, nil
	}
	opts := postgres.Options{Logger: a.Log, Version: Version, ReadOnly: a.Policy().ReadsOnly()}
	if a.Config.FixedNow {
		opts.Now = a.Config.Now
	}
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	opened, err := postgres.Open(ctx, string(a.Config.Database.URL), opts)
	if err != nil {
		return nil, err
	}
	s.opened = opened
	return opened, nil
}

// DatabasePoolStats returns how the connections to the database server are used. It returns the zero
// value while there is no connection, and without a server.
func (a *App) DatabasePoolStats() postgres.PoolStats {
	if a.server == nil || !a.server.mu.TryLock() { // locked: it connects, which may take long
		return postgres.PoolStats{}
	}
	defer a.server.mu.Unlock()
	if a.server.opened == nil {
		return postgres.PoolStats{}
	}
	return a.server.opened.PoolStats()
}

// openTimeout is longer than another replica may need to change the tables.
const openTimeout = 2 * time.Minute

// close closes the server. It cannot be opened again.
func (s *sharedServer) close() error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.opened == nil {
		return nil
	}
	return s.opened.Close()
}

// ErrNoDatabase means that nothing has been stored yet. Reading does not create
// a database.
var ErrNoDatabase = errors.New("there is no database yet")

// HasDatabase reports whether the database exists. That of a server always does, because the
// configuration names it.
func (a *App) HasDatabase() bool {
	return a.Config.HasServer() || !sqlite.Absent(a.Config.DBPath())
}

// DescribeDatabase names the database for messages, without a user and a password.
func (a *App) DescribeDatabase() string {
	if a.Config.HasServer() {
		return postgres.DescribeURL(string(a.Config.Database.URL))
	}
	return a.Config.DBPath()
}

// OpenExisting opens the database if it exists. Otherwise it returns
// ErrNoDatabase.
func (a *App) OpenExisting(ctx context.Context) (Database, error) {
	if !a.HasDatabase() {
		return nil, ErrNoDatabase
	}
	return a.OpenDB(ctx)
}

// OpenInBackground opens an existing database a moment later, when the client
// has usually listed the tools but the model has not made a call. The first
// call then does not wait, and a broken file is reported at the start.
func (a *App) OpenInBackground() {
	const afterHello = 100 * time.Millisecond
	if !a.HasDatabase() {
		return
	}
	time.AfterFunc(afterHello, func() {
		if _, err := a.OpenDB(context.Background()); err != nil && !errors.Is(err, store.ErrClosed) {
			a.Log.Error("open database", "database", a.DescribeDatabase(), "cause", err)
		}
	})
}

// CloseDB closes the database, if it is open. The app cannot open it again. The app of the user who
// runs KOTA also closes the server, which the other apps share.
func (a *App) CloseDB() error {
	d := &a.database
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	err := error(nil)
	if d.opened != nil {
		err = d.opened.Close()
	}
	if a.ownsServer {
		err = errors.Join(err, a.server.close())
	}
	return err
}
