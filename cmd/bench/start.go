package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"kota/cmd/bench/internal/report"
)

const startRounds = 50

// measureStart measures the time from the start of the process to the answer to
// tools/list.
func measureStart(ctx context.Context, b *bench) ([]report.Row, error) {
	built, err := b.buildPeer(ctx, "bare")
	if err != nil {
		return nil, err
	}
	bare, err := b.installCopy(built)
	if err != nil {
		return nil, err
	}
	kota, err := b.installCopy(b.kota)
	if err != nil {
		return nil, err
	}
	used, err := b.newHomeWithDatabase(ctx)
	if err != nil {
		return nil, err
	}
	freshCount := 0
	took, err := report.InTurns(startRounds, []report.Contender{
		{Name: "bare server", Measure: func() (time.Duration, error) { return timeToListing(ctx, nil, bare) }},
		{Name: "kota, used home", Measure: func() (time.Duration, error) { return timeToListing(ctx, []string{"KOTA_HOME=" + used}, kota, "serve") }},
		{Name: "kota, fresh home", Measure: func() (time.Duration, error) {
			freshCount++
			home := filepath.Join(b.scratch, "fresh-"+strconv.Itoa(freshCount))
			return timeToListing(ctx, []string{"KOTA_HOME=" + home}, kota, "serve")
		}},
	})
	if err != nil {
		return nil, err
	}
	var rows []report.Row
	for i, home := range []string{"a home with a database", "a fresh home"} {
		got := report.MedianRatio(took[i+1], took[0])
		rows = append(rows, report.AtMost("cold start → tools/list, "+home, "≤ 1.6 × bare mcp-go server", got, 1.6,
			"%.2f × (%.1f ms against %.1f ms; medians of %d rounds)", got, report.Ms(report.Median(took[i+1])), report.Ms(report.Median(took[0])), startRounds))
	}
	return rows, nil
}

// timeToListing starts a server and measures the time until it has listed its
// tools.
func timeToListing(ctx context.Context, env []string, binary string, args ...string) (time.Duration, error) {
	start := time.Now()
	p, err := startPeer(ctx, env, binary, args...)
	if err != nil {
		return 0, err
	}
	if err := p.handshake(); err != nil {
		return 0, err
	}
	if _, err := p.ask(toolsList); err != nil {
		return 0, err
	}
	took := time.Since(start)
	return took, p.stop()
}

// installCopy returns the path of a copy of the binary. A binary that was just
// linked starts more slowly, because it is in the page cache in small pieces.
func (b *bench) installCopy(binary string) (string, error) {
	content, err := os.ReadFile(binary)
	if err != nil {
		return "", err
	}
	path := filepath.Join(b.scratch, "installed-"+filepath.Base(binary))
	return path, os.WriteFile(path, content, 0o700)
}

// buildPeer builds a server for comparison and returns its path. The server is
// a package of this module, so the benchmark must run inside the module.
func (b *bench) buildPeer(ctx context.Context, name string) (string, error) {
	path := filepath.Join(b.scratch, name)
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", path, "kota/cmd/bench/"+name)
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as bin/kota is built
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", name, err, out)
	}
	return path, nil
}

// newHomeWithDatabase returns a home with a database. Every start except the first
// finds such a home.
func (b *bench) newHomeWithDatabase(ctx context.Context) (string, error) {
	home := filepath.Join(b.scratch, "used")
	p, err := startPeer(ctx, []string{"KOTA_HOME=" + home}, b.kota, "serve")
	if err != nil {
		return "", err
	}
	if err := p.handshake(); err != nil {
		return "", err
	}
	if _, err := p.ask(call("memory_set", object{"key": "coffee order", "value": "flat white"})); err != nil {
		return "", err
	}
	return home, p.stop()
}
