package memory

import (
	"context"
	"database/sql"
	"fmt"

	"kota/store"
	"kota/store/sqlite"
	"kota/store/sqlite/index"
)

// A Diary is the day's log of one owner: entries, tasks and documents. All
// of them have versions: nothing that is changed or deleted is lost until it is
// erased, and each act can be undone.
type Diary struct {
	db    *sqlite.DB
	owner string
}

// NewDiary returns a handle on the log of one owner. It costs nothing.
func NewDiary(db *sqlite.DB, owner string) *Diary {
	sqlite.Extension(db, func() (*diaryUpkeep, sqlite.Hook) {
		return &diaryUpkeep{}, sqlite.Hook{Tidy: func(ctx context.Context) error { return index.Tidy(ctx, db, entryIndex, documentIndex) }}
	})
	return &Diary{db: db, owner: owner}
}

// diaryUpkeep keeps the indexes of a diary up to date in the background.
type diaryUpkeep struct{}

// numberGiven is the number of a row that was added. There is an id for a
// billion of them.
func numberGiven(added sql.Result) (int64, error) {
	number, err := added.LastInsertId()
	if err == nil && number > store.LastID {
		err = fmt.Errorf("%w: no id is left", store.ErrFull)
	}
	return number, err
}
