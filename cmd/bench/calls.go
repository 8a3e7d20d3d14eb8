package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"kota/cmd/bench/internal/report"
)

const (
	callRounds  = 5000
	callWarmup  = 200
	batchSize   = 32 // calls sent at once
	batchRounds = 300
)

// measureCalls measures calls of memory_get by exact key, directly and through
// the entry points. The baseline is an echo of the same text by the bare server
// (cmd/bench/bare). measureCalls also measures the time per call of many concurrent
// calls. Both servers run at the same time and are measured in turns.
func measureCalls(ctx context.Context, b *bench) ([]report.Row, error) {
	bare, err := b.buildPeer(ctx, "bare")
	if err != nil {
		return nil, err
	}
	echo, err := startPeer(ctx, nil, bare)
	if err != nil {
		return nil, err
	}
	kota, err := startPeer(ctx, []string{"KOTA_HOME=" + filepath.Join(b.scratch, "calls")}, b.kota, "serve")
	if err != nil {
		return nil, err
	}
	for _, p := range []*peer{echo, kota} {
		if err := p.handshake(); err != nil {
			return nil, err
		}
	}
	text := strings.Repeat("a word or two ", 14)
	if _, err := kota.ask(call("memory_set", object{"key": "coffee order", "value": text, "category": "preferences"})); err != nil {
		return nil, err
	}
	args := object{"query": "coffee order"}
	through := object{"bundle": "memory", "action": "get", "args": args}
	contenders := []report.Contender{
		newRequestContender("echo", echo, constantLine(call("echo", object{"text": text}))),
		newRequestContender("memory_get", kota, constantLine(call("memory_get", args))),
		newRequestContender("kota_entry_point", kota, constantLine(call("kota_entry_point", through))),
		newRequestContender("kota_read", kota, constantLine(call("kota_read", through))),
	}
	if _, err := report.InTurns(callWarmup, contenders); err != nil {
		return nil, err
	}
	took, err := report.InTurns(callRounds, contenders)
	if err != nil {
		return nil, err
	}
	batches, err := report.InTurns(batchRounds, []report.Contender{
		{Name: "echo, many at once", Measure: func() (time.Duration, error) {
			return echo.askConcurrently(call("echo", object{"text": text}), batchSize)
		}},
		{Name: "memory_get, many at once", Measure: func() (time.Duration, error) { return kota.askConcurrently(call("memory_get", args), batchSize) }},
	})
	if err != nil {
		return nil, err
	}
	if err := echo.stop(); err != nil {
		return nil, fmt.Errorf("stop the bare server: %w", err)
	}
	if err := kota.stop(); err != nil {
		return nil, fmt.Errorf("stop kota: %w", err)
	}
	return append(callRows(took), report.Info(fmt.Sprintf("memory_get over stdio, calls a second of %d at once", batchSize), "%.2f × the bare server's echo (%.0f/s against %.0f/s)",
		report.MedianRatio(batches[0], batches[1]), 1/report.Median(batches[1]).Seconds(), 1/report.Median(batches[0]).Seconds())), nil
}

func newRequestContender(name string, p *peer, line func() []byte) report.Contender {
	return report.Contender{Name: name, Measure: func() (time.Duration, error) { return p.timeAsk(line()) }}
}

// constantLine returns a function that always returns line.
func constantLine(line []byte) func() []byte { return func() []byte { return line } }

func callRows(took [][]time.Duration) []report.Row {
	echo, direct := report.Median(took[0]), report.Median(took[1])
	rows := []report.Row{report.AtMost("memory_get by key over stdio, p50", "≤ 1.4 × echo of the bare server", report.Ratio(direct, echo), 1.4,
		"%.2f × (%.0f µs against %.0f µs; %d calls each, in turns)", report.Ratio(direct, echo), report.Us(direct), report.Us(echo), callRounds)}
	rows = append(rows, report.Info("memory_get by key over stdio, p99", "%.2f × echo of the bare server (%.0f µs against %.0f µs)",
		report.Ratio(report.Quantile(took[1], .99), report.Quantile(took[0], .99)), report.Us(report.Quantile(took[1], .99)), report.Us(report.Quantile(took[0], .99))))
	for i, name := range []string{"kota_entry_point", "kota_read"} {
		got := report.Median(took[i+2])
		rows = append(rows, report.AtMost(name+" → memory_get, p50", "≤ 1.05 × the direct call", report.Ratio(got, direct), 1.05,
			"%.3f × (%.1f µs against %.1f µs: %+.1f µs)", report.Ratio(got, direct), report.Us(got), report.Us(direct), report.Us(got-direct)))
	}
	return rows
}
