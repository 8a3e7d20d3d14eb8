package semantic

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"sync"
)

// A VectorStore stores vectors by the hash of their text, for later processes.
type VectorStore interface {
	// Load returns the stored vectors of that model, by hash. It omits hashes without a vector.
	Load(ctx context.Context, model string, hashes []string) (map[string]Vector, error)
	Save(ctx context.Context, model string, vectors map[string]Vector) error
}

// Texts is a source of texts that never change. An item's ID is its index.
type Texts struct {
	texts  []string
	hashes []string
	store  VectorStore // nil: the vectors are only in the memory of this process

	mu      sync.Mutex
	loaded  bool
	vectors map[string]Vector // by hash
}

// NewTexts returns the source. The source loads the vectors of earlier processes from store, so
// that only texts without a stored vector are sent to the Embedder. If store is nil or fails, all
// texts are sent.
func NewTexts(texts []string, store VectorStore) *Texts {
	t := &Texts{texts: texts, store: store, vectors: map[string]Vector{}}
	for _, text := range texts {
		sum := sha256.Sum256([]byte(text))
		t.hashes = append(t.hashes, hex.EncodeToString(sum[:]))
	}
	return t
}

// Vectors implements Source.
func (t *Texts) Vectors(_ context.Context, _ string, size int, each func(int64, Vector)) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, hash := range t.hashes {
		if v := t.vectors[hash]; len(v) == size {
			each(int64(i), v)
		}
	}
	return nil
}

// Missing implements Source.
func (t *Texts) Missing(ctx context.Context, model string, size int, after int64, limit int) ([]Item, error) {
	t.load(ctx, model)
	t.mu.Lock()
	defer t.mu.Unlock()
	var items []Item
	for i := int(after) + 1; i < len(t.texts) && len(items) < limit; i++ {
		if len(t.vectors[t.hashes[i]]) != size {
			items = append(items, Item{ID: int64(i), Text: t.texts[i]})
		}
	}
	return items, nil
}

// load loads the vectors of earlier processes, once. Concurrent searches do not wait for it.
func (t *Texts) load(ctx context.Context, model string) {
	t.mu.Lock()
	loaded := t.loaded
	t.loaded = true
	t.mu.Unlock()
	if loaded || t.store == nil {
		return
	}
	kept, err := t.store.Load(ctx, model, t.hashes)
	if err != nil {
		return // then all vectors are requested again
	}
	t.mu.Lock()
	maps.Copy(t.vectors, kept)
	t.mu.Unlock()
}

// Keep implements Source.
func (t *Texts) Keep(ctx context.Context, model string, items []Item, vectors []Vector) error {
	added := map[string]Vector{}
	for i, item := range items {
		added[t.hashes[item.ID]] = vectors[i]
	}
	t.mu.Lock()
	maps.Copy(t.vectors, added)
	t.mu.Unlock()
	if t.store != nil {
		_ = t.store.Save(ctx, model, added) // after an error, the next process requests them again
	}
	return nil
}
