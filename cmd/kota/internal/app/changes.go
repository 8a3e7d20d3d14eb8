package app

import (
	"context"
	"time"

	"kota/store/sqlite"
)

// changesEvery is how often the database is asked whether somebody has written.
const changesEvery = time.Second

// Watch calls changed whenever the database may hold something else, whichever
// process wrote it, until ctx is done. A database that comes or is replaced is
// another.
func (a *App) Watch(ctx context.Context, changed func()) {
	w := &watching{app: a}
	defer w.close()
	before := w.state(ctx)
	tick := time.NewTicker(changesEvery)
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

// A watching is the database that is asked.
type watching struct {
	app   *App
	db    *sqlite.DB
	watch *sqlite.Watch
}

// A databaseState is another whenever the database may hold something else. What
// cannot be asked is in no state.
type databaseState struct {
	db      *sqlite.DB
	version int64
}

func (w *watching) state(ctx context.Context) databaseState {
	db, err := w.app.OpenThere(ctx)
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

func (w *watching) close() {
	if w.watch != nil {
		_ = w.watch.Close() // it only gives a connection back
	}
	w.db, w.watch = nil, nil
}
