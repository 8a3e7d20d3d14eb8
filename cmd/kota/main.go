// Command kota gives an AI assistant access to mail, calendar, memories and a
// diary over MCP.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"kota/bundles"
	"kota/bundles/gmail"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/footprint"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/term"
	"kota/metadata"
)

func main() {
	footprint.Tune()
	os.Exit(runProcess(gmail.Poster{}))
}

// runProcess runs the program with the arguments, environment and streams of
// the process, and returns the exit status. poster sends the requests that
// unsubscribe from mailing lists. Its zero value refuses addresses on this
// machine, so tests pass another Poster.
func runProcess(poster gmail.Poster) int {
	ctx, stop := signal.NotifyContext(context.Background(), shutdownSignals()...)
	defer stop()
	a := &app.App{Env: os.Getenv, Poster: poster, Terminal: term.Terminal{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}}
	err := runApp(ctx, a, os.Args[1:])
	if term.IsTerminal(os.Stderr) {
		err = app.TextError(err)
	}
	return reportError(err, os.Stderr)
}

// shutdownSignals returns the signals after which the program finishes what it
// is sending and ends. SIGHUP is one of them unless it is ignored, as under
// nohup.
func shutdownSignals() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// run runs the whole program with the given arguments, environment and streams,
// for tests.
func run(ctx context.Context, args []string, env func(string) string, stdin io.Reader, stdout, stderr io.Writer) error {
	return runApp(ctx, &app.App{Env: env, Terminal: term.Terminal{Stdin: stdin, Stdout: stdout, Stderr: stderr}}, args)
}

func runApp(ctx context.Context, a *app.App, args []string) error {
	if slices.Contains(args, "serve") {
		go a.Bundles() // build them while the commands are built, because a client waits
	}
	root := newRoot(a)
	refusal := refuseUnknownHelp(root)
	root.SetArgs(args)
	root.SetIn(a.Stdin)
	out := &term.CheckedWriter{To: a.Stdout}
	root.SetOut(out)
	root.SetErr(a.Stderr)
	return a.Do(ctx, "kota "+strings.Join(args[:min(1, len(args))], ""), func(ctx context.Context) error {
		if err := root.ExecuteContext(ctx); err != nil {
			return err
		}
		if *refusal != nil {
			return *refusal
		}
		return out.Err
	})
}

// reportError writes the error to stderr and returns the exit status. The
// status is 0 for nil, 2 for a *mistake.Error, and 1 for any other error. A
// *metadata.Error is written as JSON, for programs to read.
func reportError(err error, stderr io.Writer) int {
	if err == nil {
		return 0
	}
	if usage := (*mistake.Error)(nil); errors.As(err, &usage) {
		fmt.Fprintln(stderr, usage.Error())
		return 2
	}
	if answer := (*metadata.Error)(nil); errors.As(err, &answer) {
		if text, err := metadata.Plain(bundles.CleanError(answer)); err == nil {
			fmt.Fprintf(stderr, "%s\n", text)
			return 1
		}
	}
	fmt.Fprintf(stderr, "kota: %s\n", bundles.Clean(err.Error()))
	return 1
}
