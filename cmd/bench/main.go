// Command bench measures KOTA's speed, size and search, and prints one table of
// targets and results. Many speeds are ratios to baselines that run in turns
// with KOTA, so that the machine and its load matter little.
//
// The exit status is 0 if everything could be measured, even if a target was
// missed. It is 1 if something could not be measured, and 2 on wrong usage.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"syscall"
	"time"

	"kota/cmd/bench/internal/report"
	"kota/cmd/bench/internal/search"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// measurement makes some rows of the table. -only selects it by its name.
type measurement struct {
	name string
	run  func(context.Context, *bench) ([]report.Row, error)
}

var measurements = []measurement{
	{"start", measureStart},
	{"calls", measureCalls},
	{"http", measureHTTP},
	{"peers", measurePeers},
	{"discovery", withoutBench(search.Discovery)},
	{"finding", withoutBench(search.Finding)},
	{"meaning", withoutBench(search.Meaning)},
	{"get", measureGet},
	{"recall", measureRecall},
	{"set", measureSet},
	{"mail", measureMail},
	{"calendar", measureCalendar},
	{"daily", measureDaily},
	{"hung", measureHung},
	{"healing", measureRepairs},
	{"tokens", measureTokens},
	{"retrieval", func(ctx context.Context, b *bench) ([]report.Row, error) {
		return search.Retrieval(ctx, b.kota, b.retrieval, b.scratch)
	}},
	{"facts", measureFacts},
	{"scale", measureScale},
}

func withoutBench(run func(context.Context) ([]report.Row, error)) func(context.Context, *bench) ([]report.Row, error) {
	return func(ctx context.Context, _ *bench) ([]report.Row, error) { return run(ctx) }
}

// bench is what the measurements share.
type bench struct {
	kota      string // path of the measured binary
	retrieval string // folder of the evaluation set, or ""
	large     bool   // whether to go up to 1,000,000 memories
	peers     string // folder with the peers and node in node_modules, or ""
	corpora   string // folder of the databases of generated memories
	scratch   string // folder for everything else, removed at the end
	log       io.Writer
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	kota := flags.String("kota", "bin/kota", "the binary to measure")
	retrieval := flags.String("retrieval", "", "`folder` with golden_tools.json and golden_queries.json")
	large := flags.Bool("large", false, "go up to 1,000,000 memories, which takes a quarter of an hour and 1.5 GB")
	peers := flags.String("peers", "", "`folder` in which npm has installed the peers and node")
	only := flags.String("only", "", "run these measurements alone, separated by commas: "+strings.Join(benchNames(), ", "))
	corpora := flags.String("corpora", "", "keep the databases of made-up memories in this `folder`, for the next run")
	page := flags.String("page", "", "also put the table into this `file`, between the comments that mark the figures, and a plot into the .svg file beside it")
	profile := flags.String("cpuprofile", "", "write a profile of what is measured inside this process to this `file`")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	wanted := benchNames()
	if *only != "" {
		wanted = strings.Split(*only, ",")
	}
	if flags.NArg() > 0 || slices.ContainsFunc(wanted, func(name string) bool { return !slices.Contains(benchNames(), name) }) {
		fmt.Fprintf(stderr, "bench: -only takes %s, separated by commas; bench takes no other arguments\n", strings.Join(benchNames(), ", "))
		return 2
	}
	b := &bench{kota: *kota, retrieval: *retrieval, large: *large, peers: *peers, corpora: *corpora, log: stderr}
	if err := b.prepare(); err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 1
	}
	defer os.RemoveAll(b.scratch)
	if *profile != "" {
		stop, err := startProfile(*profile)
		if err != nil {
			fmt.Fprintln(stderr, "bench:", err)
			return 1
		}
		defer stop()
	}
	return b.measure(ctx, wanted, *page, stdout)
}

// runWithDeadline runs one measurement. It ends a measurement that takes far
// too long, with its servers.
func (b *bench) runWithDeadline(ctx context.Context, m measurement) ([]report.Row, error) {
	limit := 10 * time.Minute
	if b.large {
		limit = time.Hour
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return m.run(ctx, b)
}

func benchNames() []string {
	all := make([]string, len(measurements))
	for i, m := range measurements {
		all[i] = m.name
	}
	return all
}

func (b *bench) prepare() error {
	path, err := filepath.Abs(b.kota)
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("%w: run `make build` first", err)
	}
	b.kota = path
	if b.scratch, err = os.MkdirTemp("", "kota-bench-"); err != nil {
		return err
	}
	if b.corpora == "" {
		b.corpora = b.scratch
	}
	return nil
}

// measure runs the selected measurements, prints the results and returns the
// exit status. A measurement that fails does not stop the others.
func (b *bench) measure(ctx context.Context, wanted []string, page string, stdout io.Writer) int {
	machine := report.DescribeMachine(ctx, b.kota) // before the benchmark itself loads the machine
	table := report.Table{}
	failed := 0
	for _, m := range measurements {
		if !slices.Contains(wanted, m.name) {
			continue
		}
		start := time.Now()
		rows, err := b.runWithDeadline(ctx, m)
		if err != nil {
			failed = 1
			fmt.Fprintf(b.log, "bench: %s: %v\n", m.name, err)
			rows = append(rows, report.Row{Figure: m.name, Measured: "could not be measured", Verdict: report.Failed})
		}
		fmt.Fprintf(b.log, "bench: %s took %v\n", m.name, time.Since(start).Round(time.Millisecond))
		table.Add(m.name, rows)
	}
	fmt.Fprintf(stdout, "%s\n\n%s", machine, table)
	if page != "" {
		if err := report.WritePage(page, machine, table); err != nil {
			fmt.Fprintln(b.log, "bench:", err)
			failed = 1
		}
	}
	return failed
}

// startProfile begins a CPU profile of this process. The profile does not
// contain the work of servers and commands that measurements start. stop ends
// it.
func startProfile(file string) (stop func(), err error) {
	out, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(out); err != nil {
		return nil, err
	}
	return func() {
		pprof.StopCPUProfile()
		out.Close()
	}, nil
}
