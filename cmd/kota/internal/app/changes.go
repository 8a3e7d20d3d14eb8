package app

import (
	"context"
	"time"

	"kota/store/sqlite"
)

// changePollInterval is the time between two checks whether another process has
// written to the file, or has replaced it.
const changePollInterval = time.Second

// Watch calls onChange whenever the content of the database may have changed,
// by any process, until ctx is done. A new, replaced or removed database counts
// as changed.
func (a *App) Watch(ctx context.Context, onChange func()) {
	w := &watcher{app: a}
	defer w.close()
	w.connect(ctx)
	for ctx.Err() == nil {
		before, changed := w.db, w.wait(ctx)
		if ctx.Err() == nil && (w.connect(ctx) != before || changed) {
			onChange()
		}
	}
}

// A watcher waits for changes of the database for App.Watch. If the database was
// replaced, it watches the new one.
type watcher struct {
	app     *App
	db      Database // nil if the database cannot be read
	changes Changes  // of db
}

// connect starts to watch the database, unless it is watched. It returns the database, or nil if it
// cannot be read.
func (w *watcher) connect(ctx context.Context) Database {
	db, err := w.app.OpenExisting(ctx)
	if err != nil {
		w.close()
		return nil
	}
	if db == w.db {
		return db
	}
	w.close()
	changes, err := db.Watch(ctx)
	if err != nil {
		return nil
	}
	w.db, w.changes = db, changes
	return db
}

// wait reports whether the database may have changed. It waits for changes, but it gives the
// watcher the time to see that a file was replaced.
func (w *watcher) wait(ctx context.Context) (changed bool) {
	if _, server := w.db.(ServerDatabase); !server {
		limited, cancel := context.WithTimeout(ctx, changePollInterval)
		defer cancel()
		ctx = limited
	}
	if w.db == nil {
		<-ctx.Done()
		return false
	}
	err := w.changes.Wait(ctx)
	if err != nil && ctx.Err() != nil {
		return false
	}
	if err != nil {
		w.close()
	}
	return true // after a failure a change may have been missed
}

func (w *watcher) close() {
	if w.changes != nil {
		_ = w.changes.Close() // closing only gives a connection back
	}
	w.db, w.changes = nil, nil
}

// fileChanges watches a SQLite file.
type fileChanges struct {
	*sqlite.Watch
	version int64 // the last known
}

// Wait reads the version each changePollInterval, because SQLite announces nothing.
func (c *fileChanges) Wait(ctx context.Context) error {
	tick := time.NewTicker(changePollInterval)
	defer tick.Stop()
	for {
		version, err := c.Version(ctx)
		if err != nil {
			return err
		}
		if version != c.version {
			c.version = version
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
