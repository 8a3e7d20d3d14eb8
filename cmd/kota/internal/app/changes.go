package app

import (
	"context"
	"time"

	"kota/store/sqlite"
)

// changePollInterval is how often the database is asked whether another process has
// written to it.
const changePollInterval = time.Second

// Watch calls changed whenever the content of the database may have changed, by
// any process, until ctx is done. A new or replaced database counts as changed.
func (a *App) Watch(ctx context.Context, changed func()) {
	w := &watcher{app: a}
	defer w.close()
	before := w.state(ctx)
	tick := time.NewTicker(changePollInterval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if now := w.state(ctx); now != before {
			before = now
			changed()
		}
	}
}

// watcher holds the database that is watched.
type watcher struct {
	app   *App
	db    *sqlite.DB
	watch *sqlite.Watch
}

// databaseState differs whenever the content of the database may differ. It is
// zero if the database cannot be asked.
type databaseState struct {
	db      *sqlite.DB
	version int64
}

func (w *watcher) state(ctx context.Context) databaseState {
	db, err := w.app.OpenExisting(ctx)
	if err != nil {
		w.close()
		return databaseState{}
	}
	if db != w.db {
		w.close()
		watch, err := db.Watch(ctx)
		if err != nil {
			return databaseState{}
		}
		w.db, w.watch = db, watch
	}
	version, err := w.watch.Version(ctx)
	if err != nil {
		w.close()
		return databaseState{}
	}
	return databaseState{db, version}
}

func (w *watcher) close() {
	if w.watch != nil {
		_ = w.watch.Close() // it only returns a connection
	}
	w.db, w.watch = nil, nil
}
