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

// A database is kota.db, opened when it is first needed. Its mu is never held
// while somebody waits for the disk or for another program.
type database struct {
	mu     sync.Mutex
	opened *sqlite.DB
	trying *attempt // to open it; nil when nobody does
	closed bool

	failed   error // why it could not be opened the last time; nil when it could
	failedAt time.Time
}

// An attempt to open the database is shared by all who need it meanwhile.
type attempt struct {
	done chan struct{} // closed once the rest is said
	db   *sqlite.DB
	err  error
}

// lastFailure returns why the database could not be opened when that was last
// tried, and when that was; nil when it could.
func (d *database) lastFailure() (at time.Time, why error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.failedAt, d.failed
}

// OpenDB returns the open database, and opens it when it is not. One that
// could not be opened is tried again by the next call: its user may have
// mended the disk meanwhile. Under a profile that only reads, no byte of it can
// be written. It returns store.ErrClosed once the program ends, and the error of
// ctx when that ends first: the attempt goes on for whoever comes then.
func (a *App) OpenDB(ctx context.Context) (*sqlite.DB, error) {
	d := &a.database
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		return nil, store.ErrClosed
	}
	if db := d.opened; db != nil && !db.Outdated() { // calls under way may still read the one that is
		d.mu.Unlock()
		return db, nil
	}
	if d.trying == nil {
		d.trying = &attempt{done: make(chan struct{})}
		go a.tryOpen(d.trying)
	}
	at := d.trying
	d.mu.Unlock()
	select {
	case <-at.done:
		return at.db, at.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// tryOpen opens the database, and says how that went. Nobody's deadline is
// everybody's.
func (a *App) tryOpen(at *attempt) {
	d := &a.database
	defer func() {
		if p := recover(); p != nil { // nobody else could
			at.db, at.err = nil, entrypoint.Panicked(a.Log, "open the database", p)
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.closed && at.err == nil {
			at.db, at.err = nil, errors.Join(store.ErrClosed, at.db.Close())
		}
		if d.failed, d.failedAt = at.err, time.Now(); at.err == nil {
			d.opened = at.db
		}
		d.trying = nil
		close(at.done)
	}()
	at.db, at.err = sqlite.Open(context.Background(), a.Config.DBPath(), sqlite.Options{
		Now: a.Config.Now, Logger: a.Log, Version: Version, ReadOnly: a.Policy().ReadsOnly(), OneOfMany: a.Config.Owner != "",
		Sealer: signin.Sealer{Sealer: a.Accounts().Sealer("memory")},
	})
	if at.err == nil {
		AuditLog(at.db) // from the first change on
	}
}

// ErrNoDatabase: nothing was kept yet, and none is made to read from it.
var ErrNoDatabase = errors.New("there is no database yet")

// OpenThere opens the database that there is. It returns errNoDatabase where
// there is none.
func (a *App) OpenThere(ctx context.Context) (*sqlite.DB, error) {
	if sqlite.Absent(a.Config.DBPath()) {
		return nil, ErrNoDatabase
	}
	return a.OpenDB(ctx)
}

// OpenSoon opens a database that exists once the client has been told what it
// can call, which it waits for, and before a model has thought of a call: the
// first one does not wait, and a broken file is reported at the start.
func (a *App) OpenSoon() {
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

// CloseDB closes the database for good.
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
