package main

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"time"
)

var nsPerOp = regexp.MustCompile(`(?m)^Benchmark\S+\s+\d+\s+([0-9.]+) ns/op`)

// goBenchmark runs a package's Go benchmark, for what no program can reach from
// outside, and returns how long one run took, the median of five.
func goBenchmark(ctx context.Context, pkg, name string) (time.Duration, error) {
	out, err := exec.CommandContext(ctx, "go", "test", pkg, "-run", "^$", "-bench", "^"+name+"$", "-count", "5").CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%s of %s: %w\n%s", name, pkg, err, out)
	}
	var took []time.Duration
	for _, found := range nsPerOp.FindAllSubmatch(out, -1) {
		ns, err := strconv.ParseFloat(string(found[1]), 64)
		if err != nil {
			return 0, fmt.Errorf("%s of %s: %w", name, pkg, err)
		}
		took = append(took, time.Duration(ns))
	}
	if len(took) != 5 {
		return 0, fmt.Errorf("%s of %s ran %d times, want 5:\n%s", name, pkg, len(took), out)
	}
	return median(took), nil
}
