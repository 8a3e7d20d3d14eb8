package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// The verdicts for a row.
const (
	met       = "met"
	missed    = "MISSED"
	failedRow = "FAILED" // could not be measured
	noVerdict = "–"      // for information only, or not measurable here
)

// row is one figure of the table.
type row struct {
	figure, target, measured, verdict string
	targetUsed                        float64 // the share of the target that is used; 1 if it is just met, 0 if unknown
}

// newVerdictRow returns a row whose target was met if ok is true.
func newVerdictRow(figure, target string, ok bool, format string, args ...any) row {
	verdict := missed
	if ok {
		verdict = met
	}
	return row{figure: figure, target: target, measured: fmt.Sprintf(format, args...), verdict: verdict}
}

type number interface {
	~int | ~int64 | ~float64
}

// newMaxRow returns a row whose target is an upper limit, most.
func newMaxRow[N number](figure, target string, got, most N, format string, args ...any) row {
	r := newVerdictRow(figure, target, got <= most, format, args...)
	r.targetUsed = float64(got) / float64(most)
	return r
}

// newMinRow returns a row whose target is a lower limit, least.
func newMinRow[N number](figure, target string, got, least N, format string, args ...any) row {
	r := newVerdictRow(figure, target, got >= least, format, args...)
	if got > 0 {
		r.targetUsed = float64(least) / float64(got)
	}
	return r
}

// newInfoRow returns a row without a target.
func newInfoRow(figure, format string, args ...any) row {
	return row{figure: figure, target: noVerdict, measured: fmt.Sprintf(format, args...), verdict: noVerdict}
}

// newSkippedRow returns a row that was not measured because a flag is absent.
func newSkippedRow(figure, target, flag string) row {
	return row{figure: figure, target: target, measured: "not measured: no " + flag, verdict: noVerdict}
}

// table is the table of results, which String returns as Markdown.
type table struct {
	lines []string
	rows  []row
}

func (t *table) add(measurement string, rows []row) {
	t.rows = append(t.rows, rows...)
	for _, r := range rows {
		t.lines = append(t.lines, fmt.Sprintf("| %s | %s | %s | %s | `-only %s` |", r.figure, r.target, r.measured, r.verdict, measurement))
	}
}

func (t table) String() string {
	head := "| figure | target | measured | verdict | again with |\n|---|---|---|---|---|\n"
	return head + strings.Join(t.lines, "\n") + "\n"
}

// describeMachine returns a line with the version of kota, the machine and its
// current load.
func describeMachine(ctx context.Context, kota string) string {
	version, err := exec.CommandContext(ctx, kota, "version").Output()
	if err != nil {
		version = []byte("kota of unknown version")
	}
	first, _, _ := strings.Cut(string(version), "\n")
	return fmt.Sprintf("%s, on %s, %d cores, load %s", strings.TrimSpace(first), processorName(), runtime.NumCPU(), loadAverage())
}

const unknown = "unknown"

// processorName returns the processor's name on Linux.
func processorName() string {
	file, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return "processor " + unknown
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if name, value, found := strings.Cut(lines.Text(), ":"); found && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "processor " + unknown
}

// loadAverage returns the load average of the last minute.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return unknown
	}
	minute, _, _ := strings.Cut(string(text), " ")
	return minute
}
