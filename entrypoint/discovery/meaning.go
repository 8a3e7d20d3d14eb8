package discovery

import (
	"context"

	"kota/metadata/search"
)

// Meaning says which of some texts, by their places, mean what a query means:
// the most similar first. The texts are the same on every call. The note, which
// is shown to the caller, says why not all of them were compared.
type Meaning func(ctx context.Context, query string, among []string) (similar []int, note string)

// hits are the entries that a query has found, by their words and, where that
// is set up, by what they mean, and which of them answer it. A query that names
// an action has its answer and leaves the process for nobody. The note says why
// not all of the search was done.
func (c *Catalogue) hits(ctx context.Context, query string) (hits []search.Hit, fits func(search.Hit) bool, note string) {
	hits, fits = c.index().Search(query, 0), search.Hit.Fits
	if c.meaning == nil || len(hits) > 0 && hits[0].Why == search.WhyExact {
		return hits, fits, ""
	}
	similar, note := c.meaning(ctx, query, c.texts())
	if len(similar) == 0 {
		return hits, fits, note
	}
	all, answers := search.Fuse(hits, fits, similar)
	answering := map[int]bool{}
	for _, h := range all[:answers] {
		answering[h.Entry] = true
	}
	return all, func(h search.Hit) bool { return answering[h.Entry] }, note
}
