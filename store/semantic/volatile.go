package semantic

import (
	"context"
	"sync"
)

// A Volatile keeps vectors in memory, for processes that must not write. The
// zero Volatile is ready for use.
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
	items, err := v.Source.Missing(ctx, model, size, after, mostVolatile)
	if err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, item := range items {
		is := v.kept[item.ID]
		if is.text != item.Text || len(is.vector) != size {
			is.vector = nil
		}
		if !visit(item, is.vector) {
			return nil
		}
	}
	return nil
}

func (v *volatile) Keep(_ context.Context, _ string, items []Item, vectors []Vector) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.kept)+len(items) > mostVolatile {
		v.kept = nil
	}
	if v.kept == nil {
		v.kept = map[int64]made{}
	}
	for i, item := range items {
		v.kept[item.ID] = made{item.Text, vectors[i]}
	}
	return nil
}
