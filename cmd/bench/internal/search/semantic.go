package search

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"kota/cmd/bench/internal/report"
	"kota/metadata/search"
	"kota/store/semantic"
	"kota/store/semantic/semantictest"
)

// Meaning measures a search by words and meaning, and how much of its
// time the endpoint for embeddings takes. The endpoint takes 20 ms here, about as long
// as a small model.
func Meaning(ctx context.Context) ([]report.Row, error) {
	const actions, queries = 100, 100
	endpoint := semantictest.Start(nil)
	defer endpoint.Close()
	endpoint.Delay = 20 * time.Millisecond
	endpoint.Resize(768)
	entries := catalogue(actions)
	index := search.NewIndex(entries, search.Options{})
	texts := make([]string, len(entries))
	for i, e := range entries {
		texts[i] = e.Text()
	}
	client := semantic.New(semantic.Options{Endpoint: endpoint.URL, Model: "bag"})
	defer client.Close()
	source := semantic.NewTexts(texts, nil)
	space := semantic.NewSpace(client, semantic.NewThreshold(nil), func(context.Context) (semantic.Source, error) { return source, nil })
	defer space.Close()
	if _, err := semantic.Check(ctx, client); err != nil {
		return nil, err
	}
	if _, err := space.Search(ctx, "whatever"); err != nil {
		return nil, err
	}

	var words, trips, both []time.Duration
	for _, query := range searchQueries(entries)[:queries] {
		start := time.Now()
		index.Search(query, 10)
		words = append(words, time.Since(start))

		start = time.Now()
		response, err := http.Post(endpoint.URL+"/embeddings", "application/json", strings.NewReader(fmt.Sprintf(`{"model": "bag", "input": [%q]}`, query)))
		if err != nil {
			return nil, err
		}
		response.Body.Close()
		trips = append(trips, time.Since(start))

		start = time.Now()
		near, err := space.Search(ctx, query)
		if err != nil {
			return nil, err
		}
		similar := make([]int, len(near))
		for i, n := range near {
			similar[i] = int(n.ID)
		}
		search.Fuse(index.Search(query, 0), search.Hit.Fits, similar)
		both = append(both, time.Since(start))
	}
	return []report.Row{report.Info(fmt.Sprintf("discovery by meaning too at %d actions, p50", actions),
		"%.1f ms, of which the endpoint takes %.1f ms; by words alone %.2f ms (%d queries; vectors of 768 dimensions; off by default)",
		report.Ms(report.Median(both)), report.Ms(report.Median(trips)), report.Ms(report.Median(words)), queries)}, nil
}
