package sqlite

import (
	"cmp"
	"context"
	"slices"

	"kota/store"
	"kota/store/semantic"
)

// similar adds to candidates, which are sorted by score, the memories that mean
// what the text of q means. The first stays where it is when the words make it
// sure; when they answer nothing, it is the meaning that does, and never surely.
func (m *Memories) similar(ctx context.Context, q store.Query, found []*candidate, is store.Confidence) ([]*candidate, store.Confidence, error) {
	if q.Similar == nil || is == store.Sure && q.Limit == 1 {
		return found, is, nil
	}
	near, err := m.near(ctx, q)
	if err != nil || len(near) == 0 {
		return found, is, err
	}
	switch is {
	case store.Sure:
		first := found[0]
		found = slices.DeleteFunc(fuse(found, near), func(c *candidate) bool { return c.id == first.id })
		first.score = 1
		found = slices.Insert(found, 0, first)
	case store.Unsure:
		if suits(found) {
			found = fuse(found, near)
			break
		}
		found = slices.DeleteFunc(found, func(c *candidate) bool {
			return slices.ContainsFunc(near, func(n *candidate) bool { return n.id == c.id })
		})
		found = append(fuse(nil, near), found...) // one word of many says less than the meaning
	case store.None:
		found, is = fuse(nil, near), store.Unsure
	}
	return found, is, nil
}

// near returns the memories in the scope of q that mean what its text means,
// the most similar first.
func (m *Memories) near(ctx context.Context, q store.Query) ([]*candidate, error) {
	all := q.Similar(ctx)
	ids := make([]int64, len(all))
	for i, n := range all {
		ids[i] = n.ID
	}
	where, args := m.scopeOf(q)
	found, err := searched{m.db, memoryIndex, scope{where: where, args: args}}.Documents(ctx, ids, len(ids))
	place := func(c *candidate) int {
		return slices.IndexFunc(all, func(n semantic.Near) bool { return n.ID == c.id })
	}
	slices.SortFunc(found, func(a, b *candidate) int { return cmp.Compare(place(a), place(b)) })
	for _, c := range found {
		c.why = store.Meaning
	}
	return found, err
}
