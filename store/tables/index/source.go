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

// A Search searches an index, limited to the rows of a scope.
type Search struct {
	search.Source
	ix Index
	db engine.DB
	in Scope
}

// Within returns a search of the rows of a scope. Only Match, and what is called after it, finds
// rows that are not indexed.
func (ix Index) Within(db engine.DB, in Scope) *Search {
	s := &Search{ix: ix, db: db, in: in}
	if db.Dialect() == engine.Postgres {
		s.Source = blocksSource{db: db, ix: ix, in: in}
	} else {
		s.Source = wordsSource{db, ix, in}
	}
	return s
}

// Match returns the documents in the scope that contain words of text, scored, in no particular
// order. It also returns how many documents it could not search.
func (s *Search) Match(ctx context.Context, text string, labels []string) ([]*search.Candidate, int, error) {
	if indexed, postgres := s.Source.(blocksSource); postgres {
		withPending := indexed
		withPending.pending = &pendingRows{}
		s.Source = withPending
		found, err := search.Find(ctx, s.Source, text, labels, nil, s.db.Now())
		if !errors.Is(err, errManyPending) {
			return found, 0, err
		}
		s.Source = indexed
	}
	fresh, unindexed, err := s.ix.indexFirst(ctx, s.db, s.in)
	if err != nil {
		return nil, 0, err
	}
	found, err := search.Find(ctx, s.Source, text, labels, fresh, s.db.Now())
	return found, unindexed, err
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
