package postgres

import (
	"context"

	"kota/store"
	"kota/store/engine"
)

// leftOfErased says what PostgreSQL keeps. KOTA cannot remove it: the files belong to the server.
const leftOfErased = "no query finds the text any more, but the free space, the indexes, the write-ahead log, the standbys and the backups of the database server keep parts of it until the server reuses or removes them"

// Erase removes rows. remove returns the keys of the removed rows. The result is never complete.
func (db *DB) Erase(ctx context.Context, remove func(engine.Tx) ([]string, error)) (store.EraseResult, error) {
	erased := store.EraseResult{}
	err := db.Write(ctx, func(t engine.Tx) error {
		keys, err := remove(t)
		erased = store.EraseResult{Keys: append([]string{}, keys...)}
		return err
	})
	if err != nil || len(erased.Keys) == 0 {
		return erased, err
	}
	return db.CleanErased(ctx, erased), nil
}

// CleanErased returns the result with the reason why text is left.
func (db *DB) CleanErased(_ context.Context, erased store.EraseResult) store.EraseResult {
	erased.Complete, erased.Reason = false, leftOfErased
	return erased
}

// CleaningDue returns removeErr: KOTA has nothing to clean later.
func (db *DB) CleaningDue(_ context.Context, removeErr error) (bool, error) { return false, removeErr }

var _ engine.DB = (*DB)(nil)
