package semantic

import (
	"context"
	"sync"
)

// Volatile returns the source with vectors kept in memory, beside those it has:
// for processes that must not write.
func Volatile(s Source) Source { return &volatile{Source: s, kept: map[int64]versioned{}} }

type volatile struct {
	Source
	mu   sync.Mutex
	kept map[int64]versioned // by ID
}

type versioned struct {
	version int64
	vector  Vector
}

// mostVolatile bounds what is kept: 12 MB of vectors of 768 dimensions.
const mostVolatile = 4000

func (s *volatile) Vectors(ctx context.Context, model string, size int, each func(int64, Vector)) error {
	if err := s.Source.Vectors(ctx, model, size, each); err != nil {
		return err
	}
	return s.missing(ctx, model, size, -1, func(item Item, v Vector) bool {
		if v != nil {
			each(item.ID, v)
		}
		return true
	})
}

func (s *volatile) Missing(ctx context.Context, model string, size int, after int64, limit int) ([]Item, error) {
	var items []Item
	err := s.missing(ctx, model, size, after, func(item Item, v Vector) bool {
		if v == nil {
			items = append(items, item)
		}
		return len(items) < limit
	})
	return items, err
}

// missing goes through what the source misses, with the vector that is kept
// here; nil where there is none of that version and size.
func (s *volatile) missing(ctx context.Context, model string, size int, after int64, visit func(Item, Vector) bool) error {
	items, err := s.Source.Missing(ctx, model, size, after, mostVolatile)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, item := range items {
		k := s.kept[item.ID]
		if k.version != item.Version || len(k.vector) != size {
			k.vector = nil
		}
		if !visit(item, k.vector) {
			return nil
		}
	}
	return nil
}

func (s *volatile) Keep(_ context.Context, _ string, items []Item, vectors []Vector) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.kept)+len(items) > mostVolatile {
		clear(s.kept)
	}
	for i, item := range items {
		s.kept[item.ID] = versioned{item.Version, vectors[i]}
	}
	return nil
}
