package semantic

import (
	"context"
	"sync"
)

// A Volatile keeps vectors in memory, for processes that must not write: those
// of 4,000 items at most, and the others are found by their words. The zero
// Volatile is ready for use.
type Volatile struct {
	mu   sync.Mutex
	kept map[int64]made // by the ID of the item
}

// A made vector is of a text.
type made struct {
	text   string
	vector Vector
}

// Over is the source with the vectors that are kept here, beside its own. It
// keeps none itself.
func (v *Volatile) Over(s Source) Source { return &volatile{Source: s, Volatile: v} }

type volatile struct {
	Source
	*Volatile
}

// mostVolatile bounds what is kept: 12 MB of vectors of 768 dimensions.
const mostVolatile = 4000

func (v *volatile) Vectors(ctx context.Context, model string, size int, each func(int64, Vector)) error {
	if err := v.Source.Vectors(ctx, model, size, each); err != nil {
		return err
	}
	return v.missing(ctx, model, size, -1, func(item Item, kept Vector) bool {
		if kept != nil {
			each(item.ID, kept)
		}
		return true
	})
}

func (v *volatile) Missing(ctx context.Context, model string, size int, after int64, limit int) ([]Item, error) {
	limit = min(limit, v.room())
	if limit == 0 {
		return nil, nil // what is not kept would be asked for by every search
	}
	var items []Item
	err := v.missing(ctx, model, size, after, func(item Item, kept Vector) bool {
		if kept == nil {
			items = append(items, item)
		}
		return len(items) < limit
	})
	return items, err
}

// missing goes through what the source misses, with the vector that is kept
// here; nil where there is none of that text and size.
func (v *volatile) missing(ctx context.Context, model string, size int, after int64, visit func(Item, Vector) bool) error {
	const page = 500
	for {
		items, err := v.Source.Missing(ctx, model, size, after, page)
		if err != nil || len(items) == 0 {
			return err
		}
		after = items[len(items)-1].ID
		for _, item := range items {
			if !visit(item, v.of(item, size)) {
				return nil
			}
		}
	}
}

// of is the vector that is kept of the item as it is now.
func (v *Volatile) of(item Item, size int) Vector {
	v.mu.Lock()
	defer v.mu.Unlock()
	is := v.kept[item.ID]
	if is.text != item.Text || len(is.vector) != size {
		return nil
	}
	return is.vector
}

// room is how many more items may be kept.
func (v *Volatile) room() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return mostVolatile - len(v.kept)
}

func (v *volatile) Keep(_ context.Context, _ string, items []Item, vectors []Vector) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.kept == nil {
		v.kept = map[int64]made{}
	}
	for i, item := range items {
		v.kept[item.ID] = made{item.Text, vectors[i]}
	}
	return nil
}
