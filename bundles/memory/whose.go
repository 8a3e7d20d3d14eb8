package memory

import (
	"context"

	"kota/bundles/internal/untrusted"
)

// whoseOf is the provenance of what memories of these sources have in common, nil
// where the user said it of each.
func whoseOf(ctx context.Context, sources []string) (whose *untrusted.Provenance) {
	for _, source := range sources {
		if one := untrusted.Recalled(ctx, source); one != nil {
			whose = one
		}
	}
	return whose
}

// whoseKeys is the provenance of keys that an answer names beside what was asked
// for. One that is no more has none.
func whoseKeys(ctx context.Context, memories Memories, keys []string) *untrusted.Provenance {
	sources := []string{}
	for _, key := range keys {
		if found, err := memories.Get(ctx, key); err == nil {
			sources = append(sources, found.Source)
		}
	}
	return whoseOf(ctx, sources)
}
