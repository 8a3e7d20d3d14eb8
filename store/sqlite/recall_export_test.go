package sqlite

import (
	"context"
	"slices"
)

// ScoresOfAll returns the scores of the documents 1 to size for a question,
// the best first: what Recall would rank if it looked at every one.
func (m *Memories) ScoresOfAll(ctx context.Context, question string, size int) ([]float64, error) {
	ids := make([]int64, size)
	for i := range ids {
		ids[i] = int64(i + 1)
	}
	all, err := searched{m.db, memoryIndex, scope{where: "true"}}.Documents(ctx, ids, size)
	if err != nil {
		return nil, err
	}
	wants, err := meant(ctx, searched{m.db, memoryIndex, scope{where: "true"}}, wantsOf(question), nil)
	if err != nil {
		return nil, err
	}
	scorer := newScorer(wants, m.db.now())
	scores := make([]float64, 0, size)
	for _, c := range all {
		scorer.score(c)
		scores = append(scores, c.score)
	}
	slices.Sort(scores)
	slices.Reverse(scores)
	return scores, nil
}
