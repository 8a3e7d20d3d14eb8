package semantic

import (
	"context"
	"maps"
	"sync"
)

// A VectorCache keeps vectors in memory, for processes that must not write. It keeps the vectors
// of at most 4,000 items; a search by meaning does not find further items without a stored
// vector. Each search removes the vectors of items that are gone. The zero VectorCache is ready for
// use.
type VectorCache struct {
	mu      sync.Mutex
	vectors map[int64]cachedVector // by item ID
}

// A cachedVector is the vector of text.
type cachedVector struct {
	text   string
	vector Vector
}

// Wrap returns a source that adds the vectors in memory to those of s. It stores new
// vectors only in memory.
func (v *VectorCache) Wrap(s Source) Source { return &cachedSource{Source: s, VectorCache: v} }

type cachedSource struct {
	Source
	*VectorCache
}

// maxCached is the maximum number of vectors in memory: 12 MB with 768 dimensions.
const maxCached = 4000

func (v *cachedSource) Vectors(ctx context.Context, model string, size int, each func(int64, Vector)) error {
	if err := v.Source.Vectors(ctx, model, size, each); err != nil {
		return err
	}
	texts, seen, seenAll := map[int64]string{}, 0, false
	err := v.visitMissing(ctx, model, size, -1, func(item Item, kept Vector) bool {
		texts[item.ID] = item.Text
		if kept != nil {
			each(item.ID, kept)
			seen++
		}
		seenAll = seen >= v.count()
		return !seenAll
	})
	if err == nil && !seenAll { // texts is complete
		v.removeExcept(texts)
	}
	return err
}

// removeExcept removes the vectors of all other texts, to make room. Their items were removed or
// changed, or the source now has a vector for them.
func (v *VectorCache) removeExcept(texts map[int64]string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	maps.DeleteFunc(v.vectors, func(id int64, c cachedVector) bool {
		text, isMissing := texts[id]
		return !isMissing || text != c.text
	})
}

func (v *cachedSource) Missing(ctx context.Context, model string, size int, after int64, limit int) ([]Item, error) {
	limit = min(limit, maxCached-v.count())
	if limit == 0 {
		return nil, nil // the cache is full: do not request vectors that it cannot keep
	}
	var items []Item
	err := v.visitMissing(ctx, model, size, after, func(item Item, kept Vector) bool {
		if kept == nil {
			items = append(items, item)
		}
		return len(items) < limit
	})
	return items, err
}

// visitMissing visits the items for which the source has no vector. visit gets each item and its
// vector in memory, or nil if there is none for that text and size. It stops when visit returns
// false.
func (v *cachedSource) visitMissing(ctx context.Context, model string, size int, after int64, visit func(Item, Vector) bool) error {
	const page = 500
	for {
		items, err := v.Source.Missing(ctx, model, size, after, page)
		if err != nil || len(items) == 0 {
			return err
		}
		after = items[len(items)-1].ID
		for _, item := range items {
			if !visit(item, v.cached(item, size)) {
				return nil
			}
		}
	}
}

// cached returns the vector in memory for the item's current text, or nil.
func (v *VectorCache) cached(item Item, size int) Vector {
	v.mu.Lock()
	defer v.mu.Unlock()
	entry := v.vectors[item.ID]
	if entry.text != item.Text || len(entry.vector) != size {
		return nil
	}
	return entry.vector
}

// count returns the number of vectors in memory.
func (v *VectorCache) count() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.vectors)
}

func (v *cachedSource) Keep(_ context.Context, _ string, items []Item, vectors []Vector) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.vectors == nil {
		v.vectors = map[int64]cachedVector{}
	}
	for i, item := range items {
		v.vectors[item.ID] = cachedVector{item.Text, vectors[i]}
	}
	return nil
}
