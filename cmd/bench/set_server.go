package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"kota/cmd/bench/internal/report"
)

const setRounds = 2000 // writes of one client over stdio

// measureSetServers compares memory_set with a bare server that inserts one
// row. It measures one client over stdio and many over HTTP. Every write has a
// new key.
func measureSetServers(ctx context.Context, b *bench) ([]report.Row, error) {
	ctx, stop := context.WithCancel(ctx) // ends the servers
	defer stop()
	binary, err := b.buildPeer(ctx, "rows")
	if err != nil {
		return nil, err
	}
	next := unusedKeys(writeRounds + 1)
	value := strings.Repeat("a word or two ", 14)
	lines := func(tool string) func() []byte {
		return func() []byte { return call(tool, object{"key": next(), "value": value}) }
	}

	bare, err := startPeer(ctx, nil, binary, "set", filepath.Join(b.scratch, "inserts.db"))
	if err != nil {
		return nil, err
	}
	kota, err := startPeer(ctx, []string{"KOTA_HOME=" + filepath.Join(b.scratch, "set")}, b.kota, "serve")
	if err != nil {
		return nil, err
	}
	for _, p := range []*peer{bare, kota} {
		if err := p.handshake(); err != nil {
			return nil, err
		}
	}
	alone, err := report.InTurns(setRounds, []report.Contender{
		newRequestContender("set", bare, lines("set")), newRequestContender("memory_set", kota, lines("memory_set")),
	})
	if err != nil {
		return nil, err
	}
	for _, p := range []*peer{bare, kota} {
		if err := p.stop(); err != nil {
			return nil, err
		}
	}

	bareSite, err := b.startServer(ctx, "", func(address string) *exec.Cmd {
		return exec.CommandContext(ctx, binary, "set", filepath.Join(b.scratch, "inserts-http.db"), address)
	})
	if err != nil {
		return nil, fmt.Errorf("start the bare server that inserts: %w", err)
	}
	site, err := b.startKota(ctx, filepath.Join(b.scratch, "set-http"))
	if err != nil {
		return nil, err
	}
	together, err := report.InTurns(writeRounds, []report.Contender{
		bareSite.manyClients(ctx, "set by 32", lines("set")), site.manyClients(ctx, "memory_set by 32", lines("memory_set")),
	})
	if err != nil {
		return nil, err
	}
	return []report.Row{
		setRow("memory_set over stdio, one client", alone, setRounds),
		setRow(fmt.Sprintf("memory_set over HTTP, %d clients", httpClients), together, writeRounds),
	}, nil
}

// setRow returns the row for the times of the bare server and of KOTA, in this
// order.
func setRow(name string, took [][]time.Duration, rounds int) report.Row {
	faster := report.MedianRatio(took[0], took[1])
	return report.AtLeast(name, "≥ 0.8 × a bare server that inserts one row, FULL", faster, .8,
		"%.2f × (%.0f/s against %.0f/s; medians of %d rounds)", faster, 1/report.Median(took[1]).Seconds(), 1/report.Median(took[0]).Seconds(), rounds)
}
