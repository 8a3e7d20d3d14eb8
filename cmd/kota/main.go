// Command kota gives an AI assistant a personal assistant's hands over MCP.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"kota/bundles"
	"kota/bundles/gmail"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/mistake"
	"kota/cmd/kota/internal/term"
	"kota/metadata"
)

func main() { mainWith(gmail.Poster{}) }

// mainWith runs the program as a process, with that poster for lists that are
// unsubscribed from: tests have lists on this machine, which the zero one asks
// nothing.
func mainWith(poster gmail.Poster) {
	frugal()
	collectLater()
	shedLater()
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	a := &app.App{Env: os.Getenv, Poster: poster, Terminal: term.Terminal{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}}
	os.Exit(explain((&cli{a}).run(ctx, os.Args[1:]), os.Stderr))
}

// endings are the signals that end the program in order: what is being sent is
// sent. The end of its terminal is one, unless whoever started it has it ignored,
// as nohup does.
func endings() []os.Signal {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		ends = append(ends, syscall.SIGHUP)
	}
	return ends
}

// frugal keeps what is left of large messages and answers from piling up, unless
// GOMEMLIMIT says how much may: the garbage is collected sooner where much is in
// use.
func frugal() {
	const much = 144<<20 + ballastSize
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(much)
	}
}

// collectLater puts the first garbage collections off until whoever started
// the program has its first answer: what a start makes it keeps, and looking
// through it would take as long as the rest of the work. Later ones come when the
// heap has doubled, which so small a one does every few dozen calls: after the
// first, a ballast has it count as larger, which saves a quarter of what a call
// costs. It is never touched, so that what it takes is what is collected later:
// 16 MB at most, of a program that is used.
func collectLater() {
	const percent, while = 400, 200 * time.Millisecond
	usual := debug.SetGCPercent(percent)
	time.AfterFunc(while, func() { debug.SetGCPercent(usual) })

	garbage := new(struct{ self any })
	runtime.AddCleanup(garbage, func(size int) { ballast.Store(new(make([]byte, size))) }, ballastSize)
}

const ballastSize = 16 << 20

var ballast atomic.Pointer[[]byte] // a variable of the package lives as long as the program

// run is the whole program. It touches nothing of the process but what it is
// given, so that a test can run it.
func run(ctx context.Context, args []string, env func(string) string, stdin io.Reader, stdout, stderr io.Writer) error {
	return (&cli{&app.App{Env: env, Terminal: term.Terminal{Stdin: stdin, Stdout: stdout, Stderr: stderr}}}).run(ctx, args)
}

func (a *cli) run(ctx context.Context, args []string) error {
	if slices.Contains(args, "serve") {
		go a.Bundles() // a client waits: they take as long as the commands do
	}
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(a.Stdin)
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	return a.Do(ctx, "kota "+strings.Join(args[:min(1, len(args))], ""), root.ExecuteContext)
}

// A cli is one run of the program from the command line. Its methods are the
// commands.
type cli struct{ *app.App }

// explain writes what went wrong to stderr and returns the exit status: 0 for
// nil, 2 for a mistake in the command or in bundles.yaml, 1 for all else. The
// error of a call is written as its JSON, for programs to read.
func explain(err error, stderr io.Writer) int {
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
