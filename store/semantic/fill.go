package semantic

import (
	"cmp"
	"context"
	"errors"
)

// fillMissing gets the missing vectors of a source, in batches. A text that e refuses
// stays without a vector.
func fillMissing(ctx context.Context, e Embedder, source Source, size int) error {
	after := int64(-1)
	for {
		items, err := source.Missing(ctx, e.Name(), size, after, e.BatchSize())
		if err != nil || len(items) == 0 {
			return err
		}
		after = items[len(items)-1].ID
		if err := embedAndStore(ctx, e, source, items); err != nil {
			return err
		}
	}
}

// embedAndStore gets and stores the vectors of items. If e refuses a batch,
// embedAndStore halves the batch until only the refused texts are left out.
func embedAndStore(ctx context.Context, e Embedder, source Source, items []Item) error {
	vectors, err := e.Documents(ctx, items)
	refused := (*Error)(nil)
	if errors.As(err, &refused) && refused.refusesTexts() {
		if len(items) == 1 {
			return nil
		}
		half := len(items) / 2
		return cmp.Or(embedAndStore(ctx, e, source, items[:half]), embedAndStore(ctx, e, source, items[half:]))
	}
	if err != nil {
		return err
	}
	return source.Keep(ctx, e.Name(), items, vectors)
}
