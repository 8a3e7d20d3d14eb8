// Package diary stores a day's log: entries, tasks and documents, with all their
// versions. A call that is repeated with the same idempotency key changes nothing. Start at
// Store.Log, then read table.go, which holds what the three kinds of rows share.
package diary

import (
	"context"
	"fmt"

	"kota/store"
	"kota/store/engine"
	"kota/store/tables/index"
)

// A Store is the diary of one owner.
type Store struct {
	db    engine.DB
	owner any
}

// New returns a handle on the diary of one owner. It does not access the database.
func New(db engine.DB, owner string) *Store {
	engine.Extension(db, func() (*indexUpkeep, engine.Hook) {
		return &indexUpkeep{}, engine.Hook{OnIdle: func(ctx context.Context) error { return index.IndexBatch(ctx, db, entryIndex, documentIndex) }}
	})
	return &Store{db: db, owner: db.Owner(owner)}
}

// indexUpkeep identifies the extension that updates the indexes of a diary in the background.
type indexUpkeep struct{}

// insertedNumber returns the number of an added row. It returns ErrFull if all of the billion ids
// are in use.
func insertedNumber(number int64, err error) (int64, error) {
	if err == nil && number > store.LastID {
		err = fmt.Errorf("%w: no unused id is left", store.ErrFull)
	}
	return number, err
}
