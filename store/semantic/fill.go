package semantic

import (
	"cmp"
	"context"
	"errors"
	"slices"
)

// fillMissing gets the missing vectors of a source, in batches. It adds the items that e refuses to
// refused, and does not request the items in it.
func fillMissing(ctx context.Context, e Embedder, source Source, size int, refused map[Item]bool) error {
	after := int64(-1)
	for {
		items, err := source.Missing(ctx, e.Name(), size, after, e.BatchSize())
		if err != nil || len(items) == 0 {
			return err
		}
		after = items[len(items)-1].ID
		items = slices.DeleteFunc(items, func(i Item) bool { return refused[i] })
		if len(items) == 0 {
			continue
		}
		if err := embedAndStore(ctx, e, source, items, refused); err != nil {
			return err
		}
	}
}

// embedAndStore gets and stores the vectors of items. If e refuses a batch,
// embedAndStore halves the batch until only the refused texts are left out.
func embedAndStore(ctx context.Context, e Embedder, source Source, items []Item, refused map[Item]bool) error {
	vectors, err := e.Documents(ctx, items)
	problem := (*Error)(nil)
	if errors.As(err, &problem) && problem.refusesTexts() {
		if len(items) == 1 {
			refused[items[0]] = true
			return nil
		}
		half := len(items) / 2
		return cmp.Or(embedAndStore(ctx, e, source, items[:half], refused), embedAndStore(ctx, e, source, items[half:], refused))
	}
	if err != nil {
		return err
	}
	return source.Keep(ctx, e.Name(), items, vectors)
}
