package memory

import (
	"context"
	"slices"

	"kota/store/search"
	"kota/store/tables/index"
)

// ScoresOfAll returns the scores of the documents 1 to size for a question, best first, as if
// Recall ranked all of them.
func (m *Store) ScoresOfAll(ctx context.Context, question string, size int) ([]float64, error) {
	ids := make([]int64, size)
	for i := range ids {
		ids[i] = int64(i + 1)
	}
	all, err := memoryIndex.Within(m.db, index.Scope{Where: "true"}).Documents(ctx, ids, size)
	if err != nil {
		return nil, err
	}
	if err := search.Score(ctx, memoryIndex.Within(m.db, index.Scope{Where: "true"}), question, all, m.db.Now()); err != nil {
		return nil, err
	}
	scores := make([]float64, 0, size)
	for _, c := range all {
		scores = append(scores, c.Score)
	}
	slices.Sort(scores)
	slices.Reverse(scores)
	return scores, nil
}
