package app

import (
	"context"
	"errors"
	"sync"
	"time"

	"kota/cmd/kota/internal/signin"
	"kota/entrypoint"
	"kota/store"
	"kota/store/sqlite"
)

// database is kota.db, opened when it is first needed. Its mu is never held
// while the database is being opened.
type database struct {
	mu      sync.Mutex
	opened  *sqlite.DB
	attempt *attempt // the running attempt to open the file; nil if none is running
	closed  bool

	failed   error // why the last attempt failed; nil if it succeeded
	failedAt time.Time
}

// attempt is one attempt to open the database. All callers who need the
// database meanwhile wait for it.
type attempt struct {
	done chan struct{} // closed once the other fields are set
	db   *sqlite.DB
	err  error
}

// lastFailure returns when and why the last attempt to open the database
// failed. The error is nil if that attempt succeeded.
func (d *database) lastFailure() (time.Time, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.failedAt, d.failed
}

// OpenDB returns the database, and opens it if needed. After a failure the next
// call tries again, because the user may have repaired the disk meanwhile.
// Under a profile that only reads, nothing can be written to the database.
// OpenDB returns store.ErrClosed after CloseDB. If ctx ends first, it returns
// the error of ctx, and the attempt continues for later callers.
func (a *App) OpenDB(ctx context.Context) (*sqlite.DB, error) {
	db, joined, err := a.openOrJoin(ctx)
	if joined && err != nil && ctx.Err() == nil {
		db, _, err = a.openOrJoin(ctx) // the other attempt may have begun before the repair
	}
	return db, err
}

// openOrJoin returns the database, and whether it waited for an attempt of
// another caller.
func (a *App) openOrJoin(ctx context.Context) (db *sqlite.DB, joined bool, err error) {
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
	opening.db, opening.err = sqlite.Open(context.Background(), a.Config.DBPath(), sqlite.Options{
		Now: a.Config.Now, Logger: a.Log, Version: Version, ReadOnly: a.Policy().ReadsOnly(), SmallCache: a.Config.Owner != "",
		Sealer: signin.Sealer{Sealer: a.Accounts().Sealer("memory")},
	})
	if opening.err == nil {
		AuditLog(opening.db) // attach the log now, so that it records the first change
	}
}

// ErrNoDatabase means that nothing has been stored yet. Reading does not create
// a database.
var ErrNoDatabase = errors.New("there is no database yet")

// OpenExisting opens the database if it exists. Otherwise it returns
// ErrNoDatabase.
func (a *App) OpenExisting(ctx context.Context) (*sqlite.DB, error) {
	if sqlite.Absent(a.Config.DBPath()) {
		return nil, ErrNoDatabase
	}
	return a.OpenDB(ctx)
}

// OpenInBackground opens an existing database a moment later, when the client
// has usually listed the tools but the model has not made a call. The first
// call then does not wait, and a broken file is reported at the start.
func (a *App) OpenInBackground() {
	const afterHello = 100 * time.Millisecond
	if sqlite.Absent(a.Config.DBPath()) {
		return
	}
	time.AfterFunc(afterHello, func() {
		if _, err := a.OpenDB(context.Background()); err != nil && !errors.Is(err, store.ErrClosed) {
			a.Log.Error("open database", "path", a.Config.DBPath(), "cause", err)
		}
	})
}

// CloseDB closes the database, if it is open. The app cannot open it again.
func (a *App) CloseDB() error {
	d := &a.database
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	if d.opened == nil {
		return nil
	}
	return d.opened.Close()
}
