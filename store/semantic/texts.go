package semantic

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"sync"
)

// A Shelf keeps vectors by the hash of their text, for the next process.
type Shelf interface {
	// Load returns those of the hashes that have a vector of that model.
	Load(ctx context.Context, model string, hashes []string) (map[string]Vector, error)
	Save(ctx context.Context, model string, vectors map[string]Vector) error
}

// Texts is a source of texts that never change. An item's ID is its place
// among them.
type Texts struct {
	texts  []string
	hashes []string
	shelf  Shelf // nil: for this process alone

	mu      sync.Mutex
	loaded  bool
	vectors map[string]Vector // by hash
}

// NewTexts returns the source. Its shelf, which may be nil, is asked for what
// earlier processes kept: a text is embedded anew when it has changed. Whatever
// is wrong with the shelf costs no more than that.
func NewTexts(texts []string, shelf Shelf) *Texts {
	t := &Texts{texts: texts, shelf: shelf, vectors: map[string]Vector{}}
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

// load takes over what earlier processes kept, once. Searches go on meanwhile.
func (t *Texts) load(ctx context.Context, model string) {
	t.mu.Lock()
	loaded := t.loaded
	t.loaded = true
	t.mu.Unlock()
	if loaded || t.shelf == nil {
		return
	}
	kept, err := t.shelf.Load(ctx, model, t.hashes)
	if err != nil {
		return // all of it is asked for again
	}
	t.mu.Lock()
	maps.Copy(t.vectors, kept)
	t.mu.Unlock()
}

// Keep implements Source.
func (t *Texts) Keep(ctx context.Context, model string, items []Item, vectors []Vector) error {
	fresh := map[string]Vector{}
	for i, item := range items {
		fresh[t.hashes[item.ID]] = vectors[i]
	}
	t.mu.Lock()
	maps.Copy(t.vectors, fresh)
	t.mu.Unlock()
	if t.shelf != nil {
		_ = t.shelf.Save(ctx, model, fresh) // without it the next process asks again
	}
	return nil
}
