package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// synthetic returns n entries of an artificial catalogue, the same ones every time. Words
// follow a Zipf law as in real text; a tenth of them are real verbs.
func synthetic(n int) []Entry {
	rng := rand.New(rand.NewPCG(42, uint64(n)))
	verbs := []string{"create", "get", "list", "update", "delete", "search", "send", "move", "export", "sync"}
	vocabulary := make([]string, 3000)
	for i := range vocabulary {
		var b strings.Builder
		for range 2 + rng.IntN(3) {
			b.WriteByte("bcdfghklmnprstvz"[rng.IntN(16)])
			b.WriteByte("aeiou"[rng.IntN(5)])
		}
		vocabulary[i] = b.String()
	}
	zipf := rand.NewZipf(rng, 1.1, 8, uint64(len(vocabulary)-1))
	word := func() string {
		if rng.IntN(10) == 0 {
			return verbs[rng.IntN(len(verbs))]
		}
		return vocabulary[zipf.Uint64()]
	}
	words := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = word()
		}
		return strings.Join(list, " ")
	}
	entries := make([]Entry, n)
	for i := range entries {
		bundle := vocabulary[i/20]
		name := fmt.Sprintf("%s_%s_%d", verbs[rng.IntN(len(verbs))], word(), i%20)
		entries[i] = Entry{Tool: bundle + "_" + name, Bundle: bundle, Name: name, Summary: words(8), Description: words(30),
			Tags: []string{word(), word()}, Phrases: []string{words(5)}, BundleText: bundle + " " + words(10)}
		for range 5 {
			entries[i].Params = append(entries[i].Params, Param{Name: word(), Description: words(6)})
		}
	}
	return entries
}

// mixedQueries returns queries of all kinds: sentences, keywords, exact and misspelt names,
// abbreviations, and unknown words.
func mixedQueries(entries []Entry, n int) []string {
	rng := rand.New(rand.NewPCG(7, uint64(n)))
	queries := make([]string, n)
	for i := range queries {
		e := entries[rng.IntN(len(entries))]
		said := strings.Fields(e.Summary + " " + e.Description)
		switch i % 6 {
		case 0:
			queries[i] = "please show me the " + strings.Join(said[:8], " ") + " and remove " + said[9]
		case 1:
			queries[i] = said[0] + " " + said[3]
		case 2:
			queries[i] = e.Tool
		case 3:
			queries[i] = addTypo(e.Tool, rng)
		case 4:
			queries[i] = addTypo(said[5]+said[6], rng) + " " + addTypo(said[7]+said[8], rng)
		case 5:
			queries[i] = e.Tool[:1] + e.Name[:1] + "d"
		}
	}
	return queries
}

// addTypo puts one typo into word.
func addTypo(word string, rng *rand.Rand) string {
	all := oneTypos(word)
	return all[rng.IntN(len(all))]
}

// p99 returns the 99th percentile of the time for a query. It asks each one three times and
// uses the fastest time, because the rest is other load.
func p99(x *Index, queries []string) time.Duration {
	took := make([]time.Duration, len(queries))
	for i, q := range queries {
		took[i] = time.Hour
		for range 3 {
			start := time.Now()
			x.Search(q, 10)
			took[i] = min(took[i], time.Since(start))
		}
	}
	slices.Sort(took)
	return took[len(took)*99/100]
}

func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{100, 4000} {
		b.Run(fmt.Sprintf("actions=%d", n), func(b *testing.B) {
			entries := synthetic(n)
			x, queries := NewIndex(entries, Options{}), mixedQueries(entries, 600)
			b.ResetTimer()
			for i := range b.N {
				x.Search(queries[i%len(queries)], 10)
			}
			b.StopTimer()
			b.ReportMetric(float64(p99(x, queries).Microseconds()), "p99-µs")
		})
	}
}

func BenchmarkNewIndex(b *testing.B) {
	for _, n := range []int{100, 4000} {
		b.Run(fmt.Sprintf("actions=%d", n), func(b *testing.B) {
			entries := synthetic(n)
			for b.Loop() {
				NewIndex(entries, Options{})
			}
		})
	}
}
