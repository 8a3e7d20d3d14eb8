package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"kota/bundles/memory"
	"kota/cmd/bench/internal/report"
)

const decodeRounds = 20_000

// measureFacts measures sizes, memory and the time to decode arguments.
func measureFacts(ctx context.Context, b *bench) ([]report.Row, error) {
	info, err := os.Stat(b.kota)
	if err != nil {
		return nil, err
	}
	p, err := startPeer(ctx, []string{"KOTA_HOME=" + filepath.Join(b.scratch, "facts")}, b.kota, "serve")
	if err != nil {
		return nil, err
	}
	if err := p.handshake(); err != nil {
		return nil, err
	}
	listing, err := p.ask(toolsList)
	if err != nil {
		return nil, err
	}
	size := len(listing)
	resident, err := residentBytes(p.command.Process.Pid)
	if err != nil {
		return nil, err
	}
	decode, err := decodeTime()
	if err != nil {
		return nil, err
	}
	return []report.Row{
		report.AtMost("binary", "≤ 45 MB", info.Size(), 45e6, "%.1f MB", float64(info.Size())/1e6),
		report.AtMost("memory of `kota serve` after tools/list", "≤ 35 MB", resident, 35e6, "%.1f MB", float64(resident)/1e6),
		report.Info("answer to tools/list", "%s bytes", report.GroupDigits(size)),
		report.Info("checking and decoding the arguments of memory_set, mean", "%.1f µs", report.Us(decode)),
	}, p.stop()
}

// decodeTime returns the mean time to check the arguments of a typical
// memory_set against its schema and decode them.
func decodeTime() (time.Duration, error) {
	args := []byte(`{"key":"wifi password","value":{"ssid":"home","password":"x"},"category":"home","tags":["a","b"],"importance":2}`)
	for _, action := range memory.New(memory.Deps{}).Actions {
		if action.Tool != "memory_set" {
			continue
		}
		start := time.Now()
		for range decodeRounds {
			if _, err := action.Prepare(args); err != nil {
				return 0, err
			}
		}
		return time.Since(start) / decodeRounds, nil
	}
	return 0, fmt.Errorf("there is no memory_set")
}
