package main

import (
	"context"
	"fmt"
	"time"

	"kota/cmd/bench/internal/report"
	"kota/store/storetest"
)

const questionCount = 300

// recallTargets maps each number of memories to the target for the p95.
var recallTargets = map[int]time.Duration{
	10_000:    25 * time.Millisecond,
	100_000:   100 * time.Millisecond,
	1_000_000: 300 * time.Millisecond,
}

// measureRecall measures memory_get and memory_search through the router, with
// questions of 2 to 8 significant words.
func measureRecall(ctx context.Context, b *bench) ([]report.Row, error) {
	var rows []report.Row
	for _, n := range b.sizes(10_000, 100_000) {
		c, err := b.corpus(ctx, n)
		if err != nil {
			return nil, err
		}
		defer c.db.Close()
		questions := storetest.NewTextGenerator(7).Questions(questionCount)
		for _, tool := range []string{"memory_get", "memory_search"} {
			took, err := c.recallTimes(ctx, tool, questions)
			if err != nil {
				return nil, err
			}
			target, p95 := recallTargets[n], report.Quantile(took, .95)
			targetText := fmt.Sprintf("≤ %.0f ms", report.Ms(target))
			if n == 1_000_000 {
				targetText += " (stretch)"
			}
			rows = append(rows, report.AtMost(fmt.Sprintf("recall, %s of %s, p95", tool, report.GroupDigits(n)), targetText, p95, target,
				"%.1f ms (p50 %.1f ms; %d questions, each asked once%s)", report.Ms(p95), report.Ms(report.Median(took)), questionCount, buildTimeNote(c)))
		}
	}
	if !b.large {
		rows = append(rows, report.Skipped("recall of 1,000,000, p95", "≤ 300 ms (stretch)", "no -large"))
	}
	return rows, nil
}

// recallTimes returns how long the tool takes for each question.
func (c *corpus) recallTimes(ctx context.Context, tool string, questions []string) ([]time.Duration, error) {
	took := make([]time.Duration, len(questions))
	for i, question := range questions {
		d, err := c.timeCall(ctx, tool, object{"query": question}, nil)
		if err != nil {
			return nil, fmt.Errorf("%s %q: %w", tool, question, err)
		}
		took[i] = d
	}
	return took, nil
}

func buildTimeNote(c *corpus) string {
	if c.buildTime == 0 {
		return ""
	}
	return fmt.Sprintf("; filled and indexed in %.0f s", c.buildTime.Seconds())
}
