package entrypoint

import (
	"context"

	"kota/metadata"
)

// hits are the entries that answer a query, by their words and, where that is
// set up, by what they mean. A query that names an action has its answer: it
// leaves the process for nobody. The note says why not all of it was done.
func (c *catalogue) hits(ctx context.Context, query string) (hits []metadata.Hit, note string) {
	hits = c.index().Search(query, 0)
	if c.meaning == nil || len(hits) > 0 && hits[0].Why == metadata.WhyExact {
		return hits, ""
	}
	similar, note := c.meaning(ctx, query, c.texts())
	if len(similar) == 0 {
		return hits, note
	}
	return metadata.Fuse(hits, similar), note
}
