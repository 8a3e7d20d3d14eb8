package main

import (
	"context"
	"errors"
	"sync"

	"kota/entrypoint"
	"kota/store/semantic"
	"kota/store/sqlite"
)

// A meaning is the search by meaning, where the user has set it up.
type meaning struct {
	client   *semantic.Client
	memories *semantic.Space // nil: they stay here

	yardstick *semantic.Yardstick
	shelf     semantic.Shelf

	mu        sync.Mutex
	catalogue *semantic.Space // nil before the first search for actions
}

// memoryOwner is whose memories are searched, as in the bundle.
const memoryOwner = owner

// newMeaning returns the search by meaning, nil where it is off. It asks
// nothing yet. Under a profile that only reads, new vectors are kept in memory.
func (a *app) newMeaning(policy entrypoint.Policy) *meaning {
	e := a.config.Embeddings
	if e.Endpoint == "" {
		return nil
	}
	m := &meaning{client: semantic.New(semantic.Options{Endpoint: e.Endpoint, Model: e.Model, Key: e.Key}), shelf: vectorShelf{a}}
	m.yardstick = semantic.NewYardstick(m.shelf)
	if !e.Memories {
		return m
	}
	var unwritten semantic.Volatile
	m.memories = semantic.NewSpace(m.client, m.yardstick, func(ctx context.Context) (semantic.Source, error) {
		db, err := a.openDB(ctx)
		if err != nil {
			return nil, err
		}
		vectors := db.Memories(memoryOwner).Vectors()
		if policy.ReadsOnly() {
			return unwritten.Over(vectors), nil
		}
		return vectors, nil
	})
	return m
}

// similarActions is entrypoint.Meaning.
func (m *meaning) similarActions(ctx context.Context, query string, among []string) ([]int, string) {
	m.mu.Lock()
	if m.catalogue == nil {
		texts := semantic.NewTexts(among, m.shelf)
		m.catalogue = semantic.NewSpace(m.client, m.yardstick, func(context.Context) (semantic.Source, error) { return texts, nil })
	}
	catalogue := m.catalogue
	m.mu.Unlock()
	near, err := catalogue.Near(ctx, query)
	similar := make([]int, len(near))
	for i, n := range near {
		similar[i] = int(n.ID)
	}
	return similar, withoutMeaning(err)
}

// similarMemories is memory.Similar.
func (a *app) similarMemories(ctx context.Context, query string) ([]semantic.Near, string) {
	if a.meaning == nil || a.meaning.memories == nil {
		return nil, ""
	}
	near, err := a.meaning.memories.Near(ctx, query)
	return near, withoutMeaning(err)
}

// withoutMeaning tells the caller of a search why it went by words, or not all
// the way by meaning; "" for nil.
func withoutMeaning(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, semantic.ErrPreparing):
		return "semantic search is incomplete: " + err.Error()
	}
	return "semantic search is off: " + err.Error()
}

// close ends what is under way. A nil meaning has nothing to end.
func (m *meaning) close() {
	if m != nil {
		m.client.Close()
	}
}

// A vectorShelf keeps the vectors of actions in the database. One that is open
// for reading alone keeps no new ones.
type vectorShelf struct{ a *app }

func (s vectorShelf) Load(ctx context.Context, model string, hashes []string) (map[string]semantic.Vector, error) {
	kept, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	return kept.Load(ctx, model, hashes)
}

func (s vectorShelf) Save(ctx context.Context, model string, vectors map[string]semantic.Vector) error {
	kept, err := s.open(ctx)
	if err != nil {
		return err
	}
	return kept.Save(ctx, model, vectors)
}

func (s vectorShelf) open(ctx context.Context) (sqlite.TextVectors, error) {
	db, err := s.a.openDB(ctx)
	if err != nil {
		return sqlite.TextVectors{}, err
	}
	return db.TextVectors(), nil
}
