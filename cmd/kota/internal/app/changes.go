package app

import (
	"context"
	"time"

	"kota/store/sqlite"
)

// changePollInterval is the time between two checks whether another process has
// written to the database.
const changePollInterval = time.Second

// Watch calls onChange whenever the content of the database may have changed,
// by any process, until ctx is done. A new, replaced or removed database counts
// as changed.
func (a *App) Watch(ctx context.Context, onChange func()) {
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
			onChange()
		}
	}
}

// A watcher reads the state of the database for App.Watch. If the database was
// replaced, it watches the new one.
type watcher struct {
	app   *App
	db    *sqlite.DB
	watch *sqlite.Watch
}

// databaseState changes whenever the content of the database may have changed.
// It is the zero value if the database cannot be read.
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
		_ = w.watch.Close() // closing only gives a connection back
	}
	w.db, w.watch = nil, nil
}
