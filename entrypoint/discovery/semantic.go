package discovery

import (
	"context"

	"kota/metadata/search"
)

// SemanticSearch returns the indexes of the texts that are similar in meaning to the query, the
// most similar first. The texts are the same on every call. The note says why it did not
// compare all texts, or is "".
type SemanticSearch func(ctx context.Context, query string, texts []string) (similar []int, note string)

// hits returns the entries that match a query by words and, if c.semantic is set, by
// meaning. The function fits reports whether a hit answers the query. A query that names an
// action exactly is not compared by meaning, so it does not leave the process. The note says
// why the search is incomplete, or is "".
func (c *Catalogue) hits(ctx context.Context, query string) (hits []search.Hit, fits func(search.Hit) bool, note string) {
	hits, fits = c.index().Search(query, 0), search.Hit.Fits
	if c.semantic == nil || len(hits) > 0 && hits[0].MatchKind == search.MatchExact {
		return hits, fits, ""
	}
	similar, note := c.semantic(ctx, query, c.texts())
	if len(similar) == 0 {
		return hits, fits, note
	}
	joined, answers := search.Fuse(hits, fits, similar)
	answering := map[int]bool{}
	for _, h := range joined[:answers] {
		answering[h.Entry] = true
	}
	return joined, func(h search.Hit) bool { return answering[h.Entry] }, note
}
