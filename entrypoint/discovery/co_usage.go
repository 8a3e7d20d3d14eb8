package discovery

import (
	"context"
	"slices"
	"strings"
	"sync"

	"kota/metadata"
)

// The limits for actions that are often used together.
const (
	minPairCount   = 5  // minimum calls of one action soon after the other
	minPairPercent = 20 // minimum percentage of the described action's pairs
	maxUsedWith    = 3  // maximum actions in UsedWith
)

// coUsage knows which tools are often called together. It reads the counts once, on the
// first request, so that descriptions stay the same.
type coUsage struct {
	pairs    func(context.Context) map[[2]string]int // nil if nothing is counted
	once     sync.Once
	usedWith map[string][]string // by tool: the other tools, the most frequent first
}

// add sets UsedWith of each action to the tools that are often used with it. The function
// exists returns the tools that UsedWith may name.
func (c *coUsage) add(ctx context.Context, actions []metadata.Action, exists func() map[string]bool) {
	if c.pairs == nil {
		return
	}
	// A cancelled call must not cache an empty result for all later calls.
	c.once.Do(func() { c.usedWith = countUsedWith(c.pairs(context.WithoutCancel(ctx)), exists()) })
	for i := range actions {
		actions[i].UsedWith = c.usedWith[actions[i].Tool]
	}
}

// countUsedWith returns the tools often used with each tool, from the counts of pairs.
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

// mostFrequent returns the names whose counts reach minPairCount and minPairPercent, the most
// frequent first, then by name.
func mostFrequent(counts map[string]int) []string {
	total := 0
	for _, times := range counts {
		total += times
	}
	var names []string
	for name, times := range counts {
		if times >= minPairCount && times*100 >= total*minPairPercent {
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
