package postgres

import (
	"context"

	"kota/store/engine"
)

// writeLanes is how many transactions of this process commit at the same time. Each lane is one
// connection.
const writeLanes = 2

// Write runs one write in a transaction, with the contract of engine.DB. The outcome may be unknown
// if the connection fails: then Write returns store.ErrOutcomeUnknown.
func (db *DB) Write(ctx context.Context, run func(engine.Tx) error) error {
	return db.write(ctx, run, false)
}

// WriteUnaudited is Write for data that is not a change by the call in ctx.
func (db *DB) WriteUnaudited(ctx context.Context, run func(engine.Tx) error) error {
	return db.write(ctx, run, true)
}

func (db *DB) write(ctx context.Context, run func(engine.Tx) error, unaudited bool) error {
	err := db.writes.write(ctx, db, run, unaudited)
	switch {
	case err != nil:
	case isBackground(ctx):
		db.idle.delay(db, idleAgain)
	default:
		db.idle.delay(db, idleDelay)
	}
	return err
}
