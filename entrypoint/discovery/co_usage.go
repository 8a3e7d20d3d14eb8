package discovery

import (
	"context"
	"slices"
	"strings"
	"sync"

	"kota/metadata"
)

// When two actions count as often used together, and how many are shown.
const (
	minPairCount   = 5  // calls of one action soon after the other
	minPairPercent = 20 // percent of all such calls of the described action
	maxUsedWith    = 3
)

// coUsage knows which tools are often called together. It reads the counts once, on the
// first request, so that descriptions stay the same.
type coUsage struct {
	pairs    func(context.Context) map[[2]string]int // nil if nothing is counted
	once     sync.Once
	usedWith map[string][]string // the most frequent first, then by name
}

// add sets UsedWith of each action to the existing tools that are often used with it.
// Without enough counts it sets nothing.
func (c *coUsage) add(ctx context.Context, actions []metadata.Action, exists func() map[string]bool) {
	if c.pairs == nil {
		return
	}
	// The result is kept: one caller's cancellation must not cache an empty result.
	c.once.Do(func() { c.usedWith = countUsedWith(c.pairs(context.WithoutCancel(ctx)), exists()) })
	for i := range actions {
		actions[i].UsedWith = c.usedWith[actions[i].Tool]
	}
}

func countUsedWith(pairs map[[2]string]int, exists map[string]bool) map[string][]string {
	counts := map[string]map[string]int{}
	count := func(tool, other string, times int) {
		if counts[tool] == nil {
			counts[tool] = map[string]int{}
		}
		counts[tool][other] = times
	}
	for pair, times := range pairs {
		if exists[pair[0]] && exists[pair[1]] {
			count(pair[0], pair[1], times)
			count(pair[1], pair[0], times)
		}
	}
	usedWith := map[string][]string{}
	for tool, others := range counts {
		usedWith[tool] = mostFrequent(others)
	}
	return usedWith
}

// mostFrequent returns the names with high counts, both absolute and as a share of all.
func mostFrequent(counts map[string]int) []string {
	all := 0
	for _, times := range counts {
		all += times
	}
	var names []string
	for name, times := range counts {
		if times >= minPairCount && times*100 >= all*minPairPercent {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	return names[:min(len(names), maxUsedWith)]
}
