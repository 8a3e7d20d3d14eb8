package semantic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// An Item is a text that a search can find.
type Item struct {
	ID      int64
	Version int64 // version of Text
	Text    string
}

// A Match is an item whose meaning is close to the query's.
type Match struct {
	ID         int64
	Similarity float64 // to the query, at most 1
}

// A Source has items and stores their vectors. A stored vector is only used for its model and
// size. The vectors in the memory of Texts and VectorCache are used for any model, because a
// process has only one.
type Source interface {
	// Vectors calls visit for the items that have a vector. A source may limit their number.
	Vectors(ctx context.Context, model string, size int, visit func(id int64, v Vector)) error
	// Missing returns at most limit items without a vector, ordered by id. It returns
	// only ids greater than after.
	Missing(ctx context.Context, model string, size int, after int64, limit int) ([]Item, error)
	// Keep stores vectors[i] as the vector of items[i]. It skips an item that was removed or has
	// another version now.
	Keep(ctx context.Context, model string, items []Item, vectors []Vector) error
}

// A Space finds the items of a source whose meaning is close to a query's. It is safe for
// concurrent use.
type Space struct {
	embedder  Embedder
	threshold *Threshold
	open      func(context.Context) (Source, error)

	lifetime context.Context // of the background work, until Close
	cancel   context.CancelFunc

	mu  sync.Mutex
	job *fillJob // nil if no job is running

	// refused contains the items that the embedder refused. It is not stored, because the reason may
	// be temporary. Only the running job uses it.
	refused map[Item]bool
}

// A fillJob gets the missing vectors in the background.
type fillJob struct {
	done chan struct{}
	err  error // valid once done is closed
}

// NewSpace returns the space of a source. Searches call open; NewSpace does not.
func NewSpace(e Embedder, t *Threshold, open func(context.Context) (Source, error)) *Space {
	s := &Space{embedder: e, threshold: t, open: open, refused: map[Item]bool{}}
	s.lifetime, s.cancel = context.WithCancel(context.Background())
	return s
}

// Close cancels the background work.
func (s *Space) Close() { s.cancel() }

// ErrPreparing means that some items have no vector yet. They get one in the background.
var ErrPreparing = errors.New("texts are still being prepared")

// maxMatches is the maximum number of matches of one search.
const maxMatches = 200

// Search returns at most 200 items that are at least as similar to the query as the threshold
// requires. The most similar come first; items of equal similarity are ordered by id. Items
// without a vector get one in the background, unless the embedder refused their text before. Search
// waits for these vectors until 1.5 seconds after its start. A query without a vector matches
// nothing, which is no error if the model knows English words.
//
// An error says why some or all items could not be compared. Search still returns the matches
// among the items that it could compare. The error is an *Error, ErrPreparing or an error of the
// embedder, of ctx or of the source.
func (s *Space) Search(ctx context.Context, query string) ([]Match, error) {
	waiting, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	queryVector, err := s.embedder.Query(ctx, query)
	if errors.Is(err, ErrNoVector) {
		return nil, checkKnowsWords(ctx, s.embedder)
	}
	if err != nil {
		return nil, err
	}
	incomplete := s.ensureVectors(waiting, len(queryVector))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	model, err := s.threshold.measure(ctx, s.embedder.Name(), len(queryVector))
	if err != nil {
		return nil, cmp.Or(incomplete, err)
	}
	source, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	near := []Match{}
	err = source.Vectors(ctx, s.embedder.Name(), len(queryVector), func(id int64, v Vector) {
		if similarity := queryVector.Cosine(v); similarity >= model.Minimum && similarity != 0 { // 0: a text without a vector
			near = append(near, Match{id, similarity})
		}
	})
	slices.SortFunc(near, func(a, b Match) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.ID, b.ID))
	})
	return near[:min(len(near), maxMatches)], cmp.Or(err, incomplete)
}

// ensureVectors waits until each item has a vector or cannot get one. It returns ErrPreparing if
// ctx ends earlier. Concurrent callers wait for the same job.
func (s *Space) ensureVectors(ctx context.Context, size int) error {
	s.mu.Lock()
	f := s.job
	if f == nil {
		f = &fillJob{done: make(chan struct{})}
		s.job = f
		go func() {
			defer func() {
				if p := recover(); p != nil { // otherwise the panic would end the program
					f.err = fmt.Errorf("prepare semantic search: panic: a %T", p)
				}
				s.mu.Lock()
				s.job = nil
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
	if err := fillMissing(s.lifetime, s.embedder, s.threshold.texts, size, s.refused); err != nil {
		return err
	}
	source, err := s.open(s.lifetime)
	if err != nil {
		return err
	}
	return fillMissing(s.lifetime, s.embedder, source, size, s.refused)
}
