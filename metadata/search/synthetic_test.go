package search

import (
	"fmt"
	"math/rand/v2"
	"strings"
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
