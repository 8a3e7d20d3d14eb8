package index

import (
	"context"
	"errors"

	"kota/store/engine"
	"kota/store/search"
)

// A Scope limits a search to some rows of the table.
type Scope struct {
	Where string // SQL condition on the table's columns
	Args  []any  // one for each ? in Where
}

// Match returns the documents in the scope that contain words of text, scored, in no particular
// order. It also returns how many documents it could not search.
func (ix Index) Match(ctx context.Context, db engine.DB, text string, in Scope, labels []string) ([]*search.Candidate, int, error) {
	if isPostgres(db) {
		// The first question of a search also looks for stale rows. This saves a trip to the server,
		// because there are mostly none.
		found, err := search.Find(ctx, blocksSource{db: db, ix: ix, in: in, refusesStale: true}, text, labels, nil, db.Now())
		if !errors.Is(err, errStale) {
			return found, 0, err
		}
	}
	fresh, unindexed, err := ix.indexFirst(ctx, db, in)
	if err != nil {
		return nil, 0, err
	}
	found, err := search.Find(ctx, ix.Within(db, in), text, labels, fresh, db.Now())
	return found, unindexed, err
}

// Within returns the index limited to the rows of a scope.
func (ix Index) Within(db engine.DB, in Scope) search.Source {
	if isPostgres(db) {
		return blocksSource{db: db, ix: ix, in: in}
	}
	return wordsSource{db, ix, in}
}

func isPostgres(db engine.DB) bool {
	return db.Read(context.Background()).Dialect() == engine.Postgres
}

// PrefixEnd returns a text that sorts after every text with that prefix.
func PrefixEnd(prefix string) string { return prefix + "\U0010FFFF" }

// texts reads and closes rows of documents. It returns their texts by id, at most limit bytes.
func (ix Index) texts(rows engine.Rows, limit int) (map[int64]string, error) {
	defer rows.Close()
	texts := map[int64]string{}
	for rows.Next() {
		d, err := ix.Load(rows)
		if err != nil {
			return nil, err
		}
		if limit -= len(d.Text); limit < 0 {
			break
		}
		texts[d.ID] = d.Text
	}
	return texts, rows.Err()
}
