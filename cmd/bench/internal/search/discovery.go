package search

import (
	"context"
	"fmt"
	"strings"
	"time"

	"kota/cmd/bench/internal/report"
	"kota/metadata/search"
	"kota/store/storetest"
)

const searchCount = 1000

// Discovery measures the engine of kota_discover_bundles with 100 and with 4,000
// actions: KOTA's own actions, and generated actions for the rest.
func Discovery(context.Context) ([]report.Row, error) {
	var rows []report.Row
	for _, size := range []struct {
		actions  int
		slowest  time.Duration // target of the 99th percentile
		building time.Duration // target; 0 for none
	}{{100, time.Millisecond, 20 * time.Millisecond}, {4000, 10 * time.Millisecond, 0}} {
		own := ownEntries()
		entries := append(own, catalogue(size.actions-len(own))...)
		index, built := (*search.Index)(nil), []time.Duration{}
		for range 9 {
			start := time.Now()
			index = search.NewIndex(entries, search.Options{OutOfScope: search.OutOfScope(entries), Classifier: search.Classifier()})
			built = append(built, time.Since(start))
		}
		took := searchTimes(index, searchQueries(entries))
		p99 := report.Quantile(took, .99)
		rows = append(rows, report.AtMost(fmt.Sprintf("discovery search at %s actions, p99", report.GroupDigits(size.actions)), fmt.Sprintf("< %.0f ms", report.Ms(size.slowest)), p99, size.slowest,
			"%.2f ms (p50 %.2f ms; %d queries: sentences, keywords, names, misspelt names, unknown words, each asked once; with the classifier)",
			report.Ms(p99), report.Ms(report.Median(took)), searchCount))
		name, text := fmt.Sprintf("index of %s actions", report.GroupDigits(size.actions)), fmt.Sprintf("%.0f ms (median of %d; the first of the process %.0f ms)", report.Ms(report.Median(built)), len(built), report.Ms(built[0]))
		if size.building == 0 {
			rows = append(rows, report.Info(name, "%s", text))
		} else {
			rows = append(rows, report.AtMost(name, fmt.Sprintf("≤ %.0f ms", report.Ms(size.building)), report.Median(built), size.building, "%s", text))
		}
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
		texts := strings.Fields(e.Summary + " " + e.Description + " " + s.Text(10)) // some of KOTA's own texts are short
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
