package app

import (
	"context"
	"errors"
	"sync"

	"kota/entrypoint/policy"
	"kota/store/semantic"
	"kota/store/semantic/static"
	"kota/store/tables/memory"
)

// SemanticSearch is the search by meaning, if the user has set it up.
type SemanticSearch struct {
	Client   *semantic.Client // nil with a local model
	Local    *static.Model    // nil with an endpoint
	memories *semantic.Space  // nil if memories are not sent to the endpoint

	embedder  semantic.Embedder // Client or Local
	threshold *semantic.Threshold
	vectors   semantic.VectorStore

	mu        sync.Mutex
	catalogue *semantic.Space // nil until the first search for actions
}

// newSemanticSearch returns the search by meaning, or nil if it is off. It
// sends no request and reads no file. Under a profile that only reads, the search
// keeps new vectors in the process and does not store them.
func (a *App) newSemanticSearch(rules policy.Policy) *SemanticSearch {
	m := &SemanticSearch{vectors: vectorStore{a}}
	e := a.Config.Embeddings
	switch {
	case a.local != nil:
		m.Local, m.embedder = a.local, a.local
	case e.Endpoint != "":
		m.Client = semantic.New(semantic.Options{Endpoint: e.Endpoint, Model: e.Model, Key: e.Key})
		m.embedder = m.Client
	default:
		return nil
	}
	m.threshold = semantic.NewThreshold(m.vectors)
	if m.Client != nil && !e.Memories {
		return m
	}
	var unwritten semantic.VectorCache
	m.memories = semantic.NewSpace(m.embedder, m.threshold, func(ctx context.Context) (semantic.Source, error) {
		db, err := a.OpenDB(ctx)
		if err != nil {
			return nil, err
		}
		vectors := memory.New(db, Owner).Vectors()
		if rules.ReadsOnly() {
			return unwritten.Wrap(vectors), nil
		}
		return vectors, nil
	})
	return m
}

// similarActions implements discovery.SemanticSearch.
func (m *SemanticSearch) similarActions(ctx context.Context, query string, among []string) ([]int, string) {
	m.mu.Lock()
	if m.catalogue == nil {
		texts := semantic.NewTexts(among, m.vectors)
		m.catalogue = semantic.NewSpace(m.embedder, m.threshold, func(context.Context) (semantic.Source, error) { return texts, nil })
	}
	catalogue := m.catalogue
	m.mu.Unlock()
	near, err := catalogue.Search(ctx, query)
	similar := make([]int, len(near))
	for i, n := range near {
		similar[i] = int(n.ID)
	}
	return similar, fallbackNote(err)
}

// similarMemories implements memory.Similar.
func (a *App) similarMemories(ctx context.Context, query string) ([]semantic.Match, string) {
	if a.Semantic == nil || a.Semantic.memories == nil {
		return nil, ""
	}
	near, err := a.Semantic.memories.Search(ctx, query)
	return near, fallbackNote(err)
}

// fallbackNote tells the caller why a search used words instead of meaning, fully
// or in part. It returns "" for nil.
func fallbackNote(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, semantic.ErrPreparing):
		return "search by meaning is incomplete: " + err.Error()
	case errors.Is(err, semantic.ErrLoading):
		return "search by meaning is off: " + err.Error() + "; if that takes long, single commands use only words, and kota serve uses both"
	}
	return "search by meaning is off, only words were compared: " + err.Error() + "; kota doctor says more"
}

// close ends the work under way. It does nothing if m is nil.
func (m *SemanticSearch) close() {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range []*semantic.Space{m.memories, m.catalogue} {
		if s != nil {
			s.Close()
		}
	}
	if m.Client != nil {
		m.Client.Close()
	}
}

// vectorStore stores the vectors of actions, and of the texts that calibrate
// the threshold, in the database. If the database is read-only, new vectors are
// not stored.
type vectorStore struct{ a *App }

func (s vectorStore) Load(ctx context.Context, model string, hashes []string) (map[string]semantic.Vector, error) {
	stored, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	return stored.Load(ctx, model, hashes)
}

func (s vectorStore) Save(ctx context.Context, model string, vectors map[string]semantic.Vector) error {
	stored, err := s.open(ctx)
	if err != nil {
		return err
	}
	return stored.Save(ctx, model, vectors)
}

func (s vectorStore) open(ctx context.Context) (memory.TextVectors, error) {
	db, err := s.a.OpenDB(ctx)
	if err != nil {
		return memory.TextVectors{}, err
	}
	return memory.NewTextVectors(db), nil
}
