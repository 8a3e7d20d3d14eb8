// Package diary keeps a day's log in SQLite: entries, tasks and documents, with every
// version they had. A call that is repeated under its key changes nothing. Start at
// Store.Log, then table.go: what the three kinds of rows share.
package diary

import (
	"context"
	"database/sql"
	"fmt"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/sqlite/index"
)

// A Store is the log of one owner.
type Store struct {
	db    *sqlite.DB
	owner string
}

// New returns a handle on the log of one owner. It costs nothing.
func New(db *sqlite.DB, owner string) *Store {
	sqlite.Extension(db, func() (*upkeep, sqlite.Hook) {
		return &upkeep{}, sqlite.Hook{Tidy: func(ctx context.Context) error { return index.Tidy(ctx, db, entryIndex, documentIndex) }}
	})
	return &Store{db: db, owner: owner}
}

// upkeep keeps the indexes of a diary up to date in the background.
type upkeep struct{}

// numberGiven is the number of a row that was added. There is an id for a
// billion of them.
func numberGiven(added sql.Result) (int64, error) {
	number, err := added.LastInsertId()
	if err == nil && number > store.LastID {
		err = fmt.Errorf("%w: no id is left", store.ErrFull)
	}
	return number, err
}
