package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"kota/metadata/search"
	"kota/store/storetest"
)

const searchCount = 1000

// measureDiscovery measures the engine of kota_discover_bundles on generated
// catalogues.
func measureDiscovery(context.Context, *bench) ([]row, error) {
	var rows []row
	for _, size := range []struct {
		actions int
		most    time.Duration
	}{{100, time.Millisecond}, {4000, 10 * time.Millisecond}} {
		entries := catalogue(size.actions)
		start := time.Now()
		index := search.NewIndex(entries, search.Options{})
		built := time.Since(start)
		took := searchTimes(index, searchQueries(entries))
		p99 := quantile(took, .99)
		rows = append(rows, newMaxRow(fmt.Sprintf("discovery search at %s actions, p99", groupDigits(size.actions)), fmt.Sprintf("< %.0f ms", ms(size.most)), p99, size.most,
			"%.2f ms (p50 %.2f ms; %d queries: sentences, keywords, names, misspelt names, unknown words, each asked once; index built in %.0f ms)",
			ms(p99), ms(median(took)), searchCount, ms(built)))
	}
	return rows, nil
}

// searchTimes returns how long each query takes when it runs for the first
// time.
func searchTimes(index *search.Index, queries []string) []time.Duration {
	took := make([]time.Duration, len(queries))
	for i, query := range queries {
		start := time.Now()
		index.Search(query, 10)
		took[i] = time.Since(start)
	}
	return took
}

// catalogue generates n actions, twenty per bundle, with texts of realistic
// length.
func catalogue(n int) []search.Entry {
	s := storetest.NewTextGenerator(42)
	entries := make([]search.Entry, n)
	bundle := ""
	for i := range entries {
		if i%20 == 0 {
			bundle = fmt.Sprintf("%s%d", s.Text(1), i/20)
		}
		name := fmt.Sprintf("%s_%d", strings.ReplaceAll(s.Text(2), " ", "_"), i%20)
		entries[i] = search.Entry{
			Tool: bundle + "_" + name, Bundle: bundle, Name: name,
			Summary: s.Text(8), Description: s.Text(30), Tags: strings.Fields(s.Text(2)), Phrases: []string{s.Text(5)}, BundleText: bundle,
		}
		for range 5 {
			entries[i].Params = append(entries[i].Params, search.Param{Name: s.Text(1), Description: s.Text(6)})
		}
	}
	return entries
}

// searchQueries returns queries of five kinds, a fifth each.
func searchQueries(entries []search.Entry) []string {
	s := storetest.NewTextGenerator(7)
	queries := make([]string, searchCount)
	for i := range queries {
		e := entries[s.IntN(len(entries))]
		texts := strings.Fields(e.Summary + " " + e.Description)
		switch i % 5 {
		case 0:
			queries[i] = "please show me the " + strings.Join(texts[:8], " ") + " and remove " + texts[9]
		case 1:
			queries[i] = texts[0] + " " + texts[3]
		case 2:
			queries[i] = e.Tool
		case 3:
			queries[i] = typo(e.Tool, s.Rand)
		case 4:
			queries[i] = typo(texts[5]+texts[6], s.Rand) + " " + typo(texts[7]+texts[8], s.Rand)
		}
	}
	return queries
}
