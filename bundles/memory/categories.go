package memory

import (
	"context"

	"kota/bundles"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
	"kota/store"
)

type categoriesIn struct{}

type categoriesOut struct {
	Categories []category `json:"categories"`
}

type category struct {
	Name   string `json:"name"` // "" for memories without a category
	Count  int    `json:"count"`
	Bytes  int64  `json:"bytes"`  // of the values
	Newest string `json:"newest"` // the time of the last change

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // set if a memory of the category is not only the user's words
}

func (m *memory) categoriesAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "categories", Effect: metadata.Reads,
		Summary:  "Count the memories of each category.",
		Tags:     []string{"overview"},
		Examples: []metadata.Example{{Title: "Overview", Args: categoriesIn{}}},
		Notes:    []string{`Memories without a category count under the name "". newest is the time of the last change.`},
	}, m.categories)
}

func (m *memory) categories(ctx context.Context, _ categoriesIn) (categoriesOut, error) {
	memories, err := m.memories(ctx)
	if err != nil {
		return categoriesOut{}, err
	}
	found, err := memories.Categories(ctx)
	if err != nil {
		return categoriesOut{}, explain(ctx, err, "")
	}
	out := categoriesOut{Categories: make([]category, 0, len(found))}
	for _, c := range found {
		out.Categories = append(out.Categories, category{Name: c.Name, Count: c.Count, Bytes: c.Bytes, Newest: m.formatTime(c.Newest), Provenance: commonProvenance(ctx, c.Sources)})
	}
	return out, nil
}

// Counts holds counts of the memories and the size of their file.
type Counts struct {
	Memories  int   `json:"memories"`
	Expired   int   `json:"expired"`
	Deleted   int   `json:"deleted"`  // deleted memories that can be restored
	Versions  int   `json:"versions"` // earlier versions that can be restored
	Bytes     int64 `json:"bytes"`    // of the values
	ToIndex   int   `json:"to_index"` // rows that the next search adds to its index
	FileBytes int64 `json:"file_bytes"`
}

// Stats counts the memories. It reads every memory.
func Stats(ctx context.Context, memories interface {
	Stats(ctx context.Context) (store.Stats, error)
}) (Counts, error) {
	s, err := memories.Stats(ctx)
	return Counts(s), err
}
