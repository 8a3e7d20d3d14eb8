package postgres

import (
	"context"
	"fmt"
	"testing"

	"kota/store/engine"
	"kota/store/storetest"
)

// writer returns the part of the tenant as which the contract writes, which is the one whose audit log
// it reads.
func (d *contractDatabase) writer() *DB { return d.tenant("ann") }

func (d *contractDatabase) Write(ctx context.Context, run func(storetest.Tx) error) error {
	db := d.writer()
	return db.Write(ctx, func(t engine.Tx) error { return run(contractTx{t, db}) })
}

func (d *contractDatabase) WriteUnaudited(ctx context.Context, run func(storetest.Tx) error) error {
	db := d.writer()
	return db.WriteUnaudited(ctx, func(t engine.Tx) error { return run(contractTx{t, db}) })
}

func (d *contractDatabase) InsertedNames(t testing.TB) map[string]bool {
	t.Helper()
	db := d.writer()
	names, err := engine.Strings(db.Read(context.Background()), "SELECT account FROM mail_state WHERE owner = ?", db.tenant)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, name := range names {
		found[name] = true
	}
	return found
}

// contractHook is the type of the extension that AddHook adds.
type contractHook struct{}

func (d *contractDatabase) AddHook(h storetest.Hook) {
	db := d.writer()
	engine.Extension(db, func() (*contractHook, engine.Hook) {
		hook := engine.Hook{AfterCommit: h.AfterCommit, OnIdle: h.OnIdle, Close: h.Close}
		if h.BeforeCommit != nil {
			hook.BeforeCommit = func(t engine.Tx, changes []context.Context) error {
				return h.BeforeCommit(contractTx{t, db}, changes)
			}
		}
		return &contractHook{}, hook
	})
}

func (d *contractDatabase) Watch(ctx context.Context) (storetest.Watch, error) {
	return d.writer().Watch(ctx)
}

// A contractTx implements storetest.Tx. The names are in mail_state, which has a number for each of
// them.
type contractTx struct {
	engine.Tx
	db *DB
}

// Insert waits for its result, so that a test can hide its failure.
func (t contractTx) Insert(name string) error {
	_, err := t.Tx.Change("INSERT INTO mail_state (owner, account, history) VALUES (?, ?, 0)", t.db.tenant, name)
	return err
}

// HoldWrites starts a write in each lane that ends when release is called.
func (d *contractDatabase) HoldWrites() (release func()) {
	lanes, held := d.Server.writes.lanes, map[int64]bool{}
	released := make(chan struct{})
	for i := 0; len(held) < len(lanes); i++ {
		db := d.tenant(fmt.Sprint("holds writes ", i))
		lane := db.tenant % int64(len(lanes))
		if held[lane] {
			continue
		}
		held[lane] = true
		runs := make(chan struct{})
		go func() {
			_ = db.WriteUnaudited(context.Background(), func(engine.Tx) error {
				close(runs)
				<-released
				return nil
			})
		}()
		<-runs
	}
	return func() { close(released) }
}

func (d *contractDatabase) QueuedWrites() int {
	n := 0
	for _, l := range d.Server.writes.lanes {
		n += l.queued()
	}
	return n
}
