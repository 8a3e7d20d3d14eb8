package memory

import (
	"cmp"
	"context"
	"slices"

	"kota/store"
	"kota/store/search"
	"kota/store/semantic"
)

// addSimilar adds to found the memories whose meaning is close to the text of q. found must be
// sorted by score. confidence is that of the search by words. If it is high, the first candidate
// stays first. If it is none and a meaning is close, the memories close in meaning replace found,
// and the confidence becomes low. addSimilar returns the candidates and their confidence.
func (m *Store) addSimilar(ctx context.Context, q store.RecallQuery, x search.Source, found []*search.Candidate, confidence store.Confidence) ([]*search.Candidate, store.Confidence, error) {
	if q.Similar == nil || confidence == store.ConfidenceHigh && q.Limit == 1 {
		return found, confidence, nil
	}
	near, err := m.nearCandidates(ctx, q, x)
	if err != nil || len(near) == 0 {
		return found, confidence, err
	}
	switch confidence {
	case store.ConfidenceHigh:
		first := found[0]
		found = slices.DeleteFunc(search.Fuse(found, near), func(c *search.Candidate) bool { return c.ID == first.ID })
		first.Score = 1
		found = slices.Insert(found, 0, first)
	case store.ConfidenceLow:
		if search.IsLikely(found) {
			found = search.Fuse(found, near)
			break
		}
		found = slices.DeleteFunc(found, func(c *search.Candidate) bool {
			return slices.ContainsFunc(near, func(n *search.Candidate) bool { return n.ID == c.ID })
		})
		found = append(search.Fuse(nil, near), found...) // a close meaning is better evidence than one word of many
	case store.ConfidenceNone:
		found, confidence = search.Fuse(nil, near), store.ConfidenceLow
	}
	return found, confidence, nil
}

// nearCandidates returns the memories in the scope of q whose meaning is close to the text of q,
// most similar first.
func (m *Store) nearCandidates(ctx context.Context, q store.RecallQuery, x search.Source) ([]*search.Candidate, error) {
	matches := q.Similar(ctx)
	ids := make([]int64, len(matches))
	for i, n := range matches {
		ids[i] = n.ID
	}
	found, err := x.Documents(ctx, ids, len(ids))
	position := func(c *search.Candidate) int {
		return slices.IndexFunc(matches, func(n semantic.Match) bool { return n.ID == c.ID })
	}
	slices.SortFunc(found, func(a, b *search.Candidate) int { return cmp.Compare(position(a), position(b)) })
	for _, c := range found {
		c.MatchKind = store.MatchMeaning
	}
	return found, err
}
