package sqlite_test

import (
	"context"
	"testing"
	"time"

	"kota/store/engine"
	"kota/store/sqlite"
	"kota/store/storetest"
)

func (d database) Write(ctx context.Context, run func(storetest.Tx) error) error {
	return d.DB.Write(ctx, func(t engine.Tx) error { return run(transaction{t}) })
}

func (d database) WriteUnaudited(ctx context.Context, run func(storetest.Tx) error) error {
	return d.DB.WriteUnaudited(ctx, func(t engine.Tx) error { return run(transaction{t}) })
}

func (d database) InsertedNames(t testing.TB) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, name := range sqlite.MetaNames(t, d.DB) {
		found[name] = true
	}
	return found
}

// A transaction implements storetest.Tx. The table of the names is meta.
type transaction struct{ engine.Tx }

func (t transaction) Insert(name string) error { return insertName(name)(t.Tx) }

// testHook is the type of the extension that AddHook adds.
type testHook struct{}

func (d database) AddHook(h storetest.Hook) {
	engine.Extension(d.DB, func() (*testHook, engine.Hook) {
		hook := engine.Hook{AfterCommit: h.AfterCommit, OnIdle: h.OnIdle, Close: h.Close}
		if h.BeforeCommit != nil {
			hook.BeforeCommit = func(t engine.Tx, changes []context.Context) error { return h.BeforeCommit(transaction{t}, changes) }
		}
		return &testHook{}, hook
	})
}

func (d database) Watch(ctx context.Context) (storetest.Watch, error) {
	w, err := d.DB.Watch(ctx)
	if err != nil {
		return nil, err
	}
	version, err := w.Version(ctx)
	return &watch{w, version}, err
}

// A watch implements storetest.Watch. It reads the version until it changes, as KOTA does.
type watch struct {
	*sqlite.Watch
	version int64
}

func (w *watch) Wait(ctx context.Context) error {
	for {
		version, err := w.Version(ctx)
		if err != nil {
			return err
		}
		if version != w.version {
			w.version = version
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
}

func (d database) HoldWrites() (release func()) { return d.HoldWriteLock() }
