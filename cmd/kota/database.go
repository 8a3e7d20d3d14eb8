package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"kota/store"
)

// A database is kota.db, opened when it is first needed.
type database struct {
	mu     sync.Mutex
	opened *store.DB
	closed bool

	failed   error // why it could not be opened the last time; nil when it could
	failedAt time.Time
}

// lastFailure returns why the database could not be opened when that was last
// tried, and when that was; nil when it could.
func (d *database) lastFailure() (at time.Time, why error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.failedAt, d.failed
}

// openDB returns the open database, and opens it when it is not. One that
// could not be opened is tried again by the next call: its user may have
// mended the disk meanwhile. Under a profile that only reads, no byte of it can
// be written. It returns store.ErrClosed once the program ends.
func (a *app) openDB(ctx context.Context) (*store.DB, error) {
	d := &a.database
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, store.ErrClosed
	}
	if d.opened != nil && !d.opened.Outdated() { // calls under way may still read the one that is
		return d.opened, nil
	}
	// The first caller's deadline is not everybody's.
	db, err := store.Open(context.WithoutCancel(ctx), a.dbPath(), store.Options{
		Now: a.config.Now, Logger: a.log, Version: version, ReadOnly: a.policy().ReadsOnly(),
		Sealer: explainingSealer{a.accounts().Sealer("memory")},
	})
	if d.failed, d.failedAt = err, time.Now(); err != nil {
		return nil, err
	}
	d.opened = db
	return db, nil
}

// errNoDatabase: nothing was kept yet, and none is made to read from it.
var errNoDatabase = errors.New("there is no database yet")

// openThere opens the database that there is. It returns errNoDatabase where
// there is none.
func (a *app) openThere(ctx context.Context) (*store.DB, error) {
	if _, err := os.Stat(a.dbPath()); errors.Is(err, fs.ErrNotExist) {
		return nil, errNoDatabase
	}
	return a.openDB(ctx)
}

func (a *app) dbPath() string { return filepath.Join(a.config.Home, "kota.db") }

// openSoon opens a database that exists once the client has been told what it
// can call, which it waits for, and before a model has thought of a call: the
// first one does not wait, and a broken file is reported at the start.
func (a *app) openSoon() {
	const afterHello = 100 * time.Millisecond
	if _, err := os.Stat(a.dbPath()); err != nil {
		return
	}
	time.AfterFunc(afterHello, func() {
		if _, err := a.openDB(context.Background()); err != nil && !errors.Is(err, store.ErrClosed) {
			a.log.Error("open database", "path", a.dbPath(), "cause", err)
		}
	})
}

// closeDB closes the database for good.
func (a *app) closeDB() error {
	d := &a.database
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	if d.opened == nil {
		return nil
	}
	return d.opened.Close()
}
