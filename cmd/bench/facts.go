package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"kota/bundles/memory"
)

const decodings = 20_000

// measureFacts finds what has no target but is good to know.
func measureFacts(ctx context.Context, b *bench) ([]row, error) {
	info, err := os.Stat(b.kota)
	if err != nil {
		return nil, err
	}
	p, err := spawn(ctx, []string{"KOTA_HOME=" + filepath.Join(b.scratch, "facts")}, b.kota, "serve")
	if err != nil {
		return nil, err
	}
	if err := p.hello(); err != nil {
		return nil, err
	}
	listing, err := p.ask(toolsList)
	if err != nil {
		return nil, err
	}
	size := len(listing)
	resident := residentMB(p.command.Process.Pid)
	decode, err := decodeTime()
	if err != nil {
		return nil, err
	}
	return []row{
		informed("binary", "%.1f MB", float64(info.Size())/1e6),
		informed("memory of `kota serve` after tools/list", "%s", resident),
		informed("answer to tools/list", "%s bytes", grouped(size)),
		informed("checking and decoding the arguments of memory_set, mean", "%.1f µs", µs(decode)),
	}, p.stop()
}

var residentLine = regexp.MustCompile(`VmRSS:\s+(\d+) kB`)

// residentMB asks Linux for the resident memory of a process.
func residentMB(pid int) string {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	match := residentLine.FindSubmatch(status)
	if err != nil || match == nil {
		return "not measured: no /proc here"
	}
	kB, _ := strconv.Atoi(string(match[1]))
	return fmt.Sprintf("%.1f MB", float64(kB)/1e3)
}

// decodeTime is the mean time in which the arguments of a usual memory_set are
// checked against its schema and become its input.
func decodeTime() (time.Duration, error) {
	args := []byte(`{"key":"wifi password","value":{"ssid":"home","password":"x"},"category":"home","tags":["a","b"],"importance":2}`)
	for _, action := range memory.New(memory.Deps{}).Actions {
		if action.Tool != "memory_set" {
			continue
		}
		start := time.Now()
		for range decodings {
			if _, err := action.Prepare(args); err != nil {
				return 0, err
			}
		}
		return time.Since(start) / decodings, nil
	}
	return 0, fmt.Errorf("there is no memory_set")
}
