// Package report compares measurements and writes the table of results.
package report

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
)

// The verdicts for a row.
const (
	met       = "met"
	missed    = "MISSED"
	Failed    = "FAILED" // could not be measured
	NoVerdict = "–"      // for information only, or not measurable here
)

// Row is one figure of the table.
type Row struct {
	Figure, Target, Measured, Verdict string
	targetUsed                        float64 // the share of the target that is used; 1 if it is just met, 0 if unknown
}

// Verdict returns a row whose target was met if ok is true.
func Verdict(figure, target string, ok bool, format string, args ...any) Row {
	verdict := missed
	if ok {
		verdict = met
	}
	return Row{Figure: figure, Target: target, Measured: fmt.Sprintf(format, args...), Verdict: verdict}
}

type number interface {
	~int | ~int64 | ~float64
}

// AtMost returns a row whose target is an upper limit, most.
func AtMost[N number](figure, target string, got, most N, format string, args ...any) Row {
	r := Verdict(figure, target, got <= most, format, args...)
	r.targetUsed = float64(got) / float64(most)
	return r
}

// AtLeast returns a row whose target is a lower limit, least.
func AtLeast[N number](figure, target string, got, least N, format string, args ...any) Row {
	r := Verdict(figure, target, got >= least, format, args...)
	if got > 0 {
		r.targetUsed = float64(least) / float64(got)
	}
	return r
}

// Info returns a row without a target.
func Info(figure, format string, args ...any) Row {
	return Row{Figure: figure, Target: NoVerdict, Measured: fmt.Sprintf(format, args...), Verdict: NoVerdict}
}

// Skipped returns a row that was not measured for a reason such as "no -large".
func Skipped(figure, target, reason string) Row {
	return Row{Figure: figure, Target: target, Measured: "not measured: " + reason, Verdict: NoVerdict}
}

// Table is the table of results, which String returns as Markdown.
type Table struct {
	lines []string
	rows  []Row
}

func (t *Table) Add(measurement string, rows []Row) {
	t.rows = append(t.rows, rows...)
	for _, r := range rows {
		t.lines = append(t.lines, fmt.Sprintf("| %s | %s | %s | %s | `-only %s` |", r.Figure, r.Target, r.Measured, r.Verdict, measurement))
	}
}

func (t Table) String() string {
	head := "| figure | target | measured | verdict | again with |\n|---|---|---|---|---|\n"
	return head + strings.Join(t.lines, "\n") + "\n"
}

// DescribeMachine returns a line with the version of kota, the machine and its
// current load.
func DescribeMachine(ctx context.Context, kota string) string {
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

// GroupDigits writes 100000 as 100,000.
func GroupDigits(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", GroupDigits(n/1000), n%1000)
}
