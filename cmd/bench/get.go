package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"kota/cmd/bench/internal/report"
)

const getRounds = 2000

// sizes returns numbers of memories: those in counts, and 1,000,000 with
// -large.
func (b *bench) sizes(counts ...int) []int {
	if b.large {
		counts = append(counts, 1_000_000)
	}
	return counts
}

// measureGet measures memory_get by exact key, through the router, on databases
// of several sizes in turns. Consecutive calls get different keys.
func measureGet(ctx context.Context, b *bench) ([]report.Row, error) {
	sizes := b.sizes(1000, 10_000, 100_000)
	var contenders []report.Contender
	for _, n := range sizes {
		c, err := b.corpus(ctx, n)
		if err != nil {
			return nil, err
		}
		defer c.db.Close()
		keys, err := c.randomKeys(ctx, getRounds)
		if err != nil {
			return nil, fmt.Errorf("list keys of %d memories: %w", n, err)
		}
		asked := 0
		contenders = append(contenders, report.Contender{Name: report.GroupDigits(n) + " memories", Measure: func() (time.Duration, error) {
			asked++
			return c.timeCall(ctx, "memory_get", object{"query": keys[asked%len(keys)]}, checkExact)
		}})
	}
	took, err := report.InTurns(getRounds, contenders)
	if err != nil {
		return nil, err
	}
	var each []string
	worst := 0.0
	for i, n := range sizes {
		each = append(each, fmt.Sprintf("%s: %.0f µs", report.GroupDigits(n), report.Us(report.Median(took[i]))))
		worst = max(worst, report.Ratio(report.Median(took[i]), report.Median(took[0])))
	}
	figure := fmt.Sprintf("memory_get by key, %s → %s memories, p50", report.GroupDigits(sizes[0]), report.GroupDigits(sizes[len(sizes)-1]))
	const target = "≤ 1.5 × that at 1,000"
	rows := []report.Row{report.AtMost(figure, target, worst, 1.5, "%.2f × at worst (%s; %d different keys each, in turns)",
		worst, strings.Join(each, ", "), getRounds)}
	if !b.large {
		rows = append(rows, report.Skipped("memory_get by key at 1,000,000 memories, p50", target, "no -large"))
	}
	return rows, nil
}

func checkExact(answer []byte) error {
	if !bytes.Contains(answer, []byte(`"why":"exact"`)) {
		return fmt.Errorf("the key was not found: %.200s", answer)
	}
	return nil
}
