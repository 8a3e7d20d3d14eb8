package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

const (
	callRounds  = 5000
	callWarmup  = 200
	batchSize   = 32 // calls written at once
	batchRounds = 300
)

// measureCalls measures round trips of memory_get by exact key, directly and
// through the entry points, and of the bare server's echo of the same text. It
// also measures the time per call of many concurrent calls. Both servers run at
// the same time and are measured in turns.
func measureCalls(ctx context.Context, b *bench) ([]row, error) {
	bare, err := b.buildPeer(ctx, "bare")
	if err != nil {
		return nil, err
	}
	echo, err := spawn(ctx, nil, bare)
	if err != nil {
		return nil, err
	}
	kota, err := spawn(ctx, []string{"KOTA_HOME=" + filepath.Join(b.scratch, "calls")}, b.kota, "serve")
	if err != nil {
		return nil, err
	}
	for _, p := range []*peer{echo, kota} {
		if err := p.hello(); err != nil {
			return nil, err
		}
	}
	text := strings.Repeat("a word or two ", 14)
	if _, err := kota.ask(call("memory_set", object{"key": "coffee order", "value": text, "category": "preferences"})); err != nil {
		return nil, err
	}
	args := object{"query": "coffee order"}
	through := object{"bundle": "memory", "action": "get", "args": args}
	contenders := []contender{
		asking("echo", echo, same(call("echo", object{"text": text}))),
		asking("memory_get", kota, same(call("memory_get", args))),
		asking("kota_entry_point", kota, same(call("kota_entry_point", through))),
		asking("kota_read", kota, same(call("kota_read", through))),
	}
	if _, err := inTurns(callWarmup, contenders); err != nil {
		return nil, err
	}
	took, err := inTurns(callRounds, contenders)
	if err != nil {
		return nil, err
	}
	batches, err := inTurns(batchRounds, []contender{
		{"echo, many at once", func() (time.Duration, error) { return echo.together(call("echo", object{"text": text}), batchSize) }},
		{"memory_get, many at once", func() (time.Duration, error) { return kota.together(call("memory_get", args), batchSize) }},
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
	return append(callRows(took), informed(fmt.Sprintf("memory_get over stdio, calls a second of %d at once", batchSize), "%.2f × the bare server's echo (%.0f/s against %.0f/s)",
		medianRatio(batches[0], batches[1]), 1/median(batches[1]).Seconds(), 1/median(batches[0]).Seconds())), nil
}

func asking(name string, p *peer, line func() []byte) contender {
	return contender{name, func() (time.Duration, error) { return p.timed(line()) }}
}

// same returns the same line each time.
func same(line []byte) func() []byte { return func() []byte { return line } }

func callRows(took [][]time.Duration) []row {
	echo, direct := median(took[0]), median(took[1])
	rows := []row{atMost("memory_get by key over stdio, p50", "≤ 1.4 × echo of the bare server", ratio(direct, echo), 1.4,
		"%.2f × (%.0f µs against %.0f µs; %d calls each, in turns)", ratio(direct, echo), µs(direct), µs(echo), callRounds)}
	rows = append(rows, informed("memory_get by key over stdio, p99", "%.2f × echo of the bare server (%.0f µs against %.0f µs)",
		ratio(quantile(took[1], .99), quantile(took[0], .99)), µs(quantile(took[1], .99)), µs(quantile(took[0], .99))))
	for i, name := range []string{"kota_entry_point", "kota_read"} {
		got := median(took[i+2])
		rows = append(rows, atMost(name+" → memory_get, p50", "≤ 1.05 × the direct call", ratio(got, direct), 1.05,
			"%.3f × (%.1f µs against %.1f µs: %+.1f µs)", ratio(got, direct), µs(got), µs(direct), µs(got-direct)))
	}
	return rows
}
