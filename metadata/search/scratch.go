package search

import (
	"slices"
	"sync"
)

// A slicePool lends slices of zeros. A search needs some of the size of the catalogue. Without the
// pool they are most of its garbage, and one search in a hundred waits for the garbage collector.
type slicePool[T any] struct{ pool sync.Pool }

// take returns a slice of n zeros. The caller gives it back after use.
func (p *slicePool[T]) take(n int) *[]T {
	s, ok := p.pool.Get().(*[]T)
	if !ok {
		s = new([]T)
	}
	*s = slices.Grow((*s)[:0], n)[:n]
	clear(*s)
	return s
}

func (p *slicePool[T]) give(s *[]T) { p.pool.Put(s) }
