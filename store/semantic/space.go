package semantic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
)

// An Item is a text that can be found.
type Item struct {
	ID      int64
	Version int64 // of the text under that ID
	Text    string
}

// A Near is an item that means what was asked for.
type Near struct {
	ID         int64
	Similarity float64 // to the query, up to 1
}

// A Source has items and keeps their vectors. Vectors of another model or size
// are none.
type Source interface {
	// Vectors calls each with every item that has a vector.
	Vectors(ctx context.Context, model string, size int, each func(id int64, v Vector)) error
	// Missing returns at most limit items that have none, in the order of their
	// ids, from behind the one with the id after.
	Missing(ctx context.Context, model string, size int, after int64, limit int) ([]Item, error)
	// Keep keeps the vectors of items, in their order, but for an item that is
	// gone or has another version by now.
	Keep(ctx context.Context, model string, items []Item, vectors []Vector) error
}

// A Space finds, among the items of a source, those that mean what a query
// means. It is safe for concurrent use.
type Space struct {
	client    *Client
	yardstick *Yardstick
	open      func(context.Context) (Source, error)

	mu      sync.Mutex
	filling *filling // nil: nobody works at it
}

// A filling gets the vectors that are missing.
type filling struct {
	done chan struct{}
	err  error // once done is closed
}

// NewSpace returns the space of the source that open opens, for the first
// search and anew for each.
func NewSpace(c *Client, y *Yardstick, open func(context.Context) (Source, error)) *Space {
	return &Space{client: c, yardstick: y, open: open}
}

// ErrPreparing says that not all items have a vector yet. It is worked at.
var ErrPreparing = errors.New("texts are still being prepared")

// mostNear bounds the items found.
const mostNear = 200

// Near returns the items that are as similar to the query as the yardstick
// wants, at most 200: the most similar first, equal ones in the order of their
// ids. Items without a vector get one in the background, which it waits for
// with the rest of a second and a half.
//
// An error says why not every item could be compared; those that could are
// returned beside it. It is an *Error, ErrPreparing, the ctx's or the source's.
func (s *Space) Near(ctx context.Context, query string) ([]Near, error) {
	waiting, cancel := context.WithTimeout(ctx, queryPatience)
	defer cancel()
	asked, err := s.client.query(ctx, query)
	if err != nil {
		return nil, err
	}
	incomplete := s.filled(waiting, len(asked))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	least, err := s.yardstick.least(ctx, s.client.Model, len(asked))
	if err != nil {
		return nil, cmp.Or(incomplete, err)
	}
	source, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	near := []Near{}
	err = source.Vectors(ctx, s.client.Model, len(asked), func(id int64, v Vector) {
		if similarity := asked.Cosine(v); similarity >= least {
			near = append(near, Near{id, similarity})
		}
	})
	slices.SortFunc(near, func(a, b Near) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.ID, b.ID))
	})
	return near[:min(len(near), mostNear)], cmp.Or(err, incomplete)
}

// filled waits until each item has a vector or cannot get one. The first caller works for all.
func (s *Space) filled(ctx context.Context, size int) error {
	s.mu.Lock()
	f := s.filling
	if f == nil {
		f = &filling{done: make(chan struct{})}
		s.filling = f
		go func() {
			defer func() {
				if p := recover(); p != nil { // nobody else could
					f.err = fmt.Errorf("prepare the search by meaning: panic: a %T", p)
				}
				s.mu.Lock()
				s.filling = nil
				s.mu.Unlock()
				close(f.done)
			}()
			f.err = s.fill(size)
		}()
	}
	s.mu.Unlock()
	select {
	case <-f.done:
		return f.err
	case <-ctx.Done():
		return ErrPreparing
	}
}

func (s *Space) fill(size int) error {
	if err := s.client.fill(s.client.life, s.yardstick.texts, size); err != nil {
		return err
	}
	source, err := s.open(s.client.life)
	if err != nil {
		return err
	}
	return s.client.fill(s.client.life, source, size)
}

// fill gets the vectors that a source misses, batch by batch. Those of a text
// that the endpoint refuses stay missing.
func (c *Client) fill(ctx context.Context, source Source, size int) error {
	after := int64(-1)
	for {
		items, err := source.Missing(ctx, c.Model, size, after, batchSize)
		if err != nil || len(items) == 0 {
			return err
		}
		after = items[len(items)-1].ID
		if err := c.keep(ctx, source, size, items); err != nil {
			return err
		}
	}
}

func (c *Client) keep(ctx context.Context, source Source, size int, items []Item) error {
	vectors, err := c.documents(ctx, items)
	refused := (*Error)(nil)
	if errors.As(err, &refused) && refused.ofTheTexts() {
		if len(items) == 1 {
			return nil
		}
		half := len(items) / 2
		return cmp.Or(c.keep(ctx, source, size, items[:half]), c.keep(ctx, source, size, items[half:]))
	}
	if err != nil {
		return err
	}
	if len(vectors[0]) != size {
		trouble := &Error{Status: http.StatusOK, What: fmt.Sprintf("%s answers with vectors of several sizes", c.Endpoint)}
		c.breaker.report(trouble)
		return trouble
	}
	return source.Keep(ctx, c.Model, items, vectors)
}
