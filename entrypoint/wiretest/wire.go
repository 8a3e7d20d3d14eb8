// Package wiretest speaks JSON-RPC with an MCP server in memory, for tests. A Wire sends
// and receives lines. Play plays whole conversations from txtar archives. A Client sends HTTP
// requests. Use all of them in a bubble of testing/synctest, which knows when the server is
// idle; Play makes its own bubbles.
package wiretest

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

// A Serve serves one client until in ends or ctx is cancelled. It writes each message to
// out with one Write.
type Serve func(ctx context.Context, in io.Reader, out io.Writer) error

// A Wire is a client of a Serve.
type Wire struct {
	Cancel context.CancelFunc // cancels the context of Serve
	Done   chan error         // the error that Serve returned

	t  testing.TB
	in *io.PipeWriter

	mu    sync.Mutex
	lines []string
}

// Start starts serve on a pipe. Call it inside a bubble.
func Start(t testing.TB, serve Serve) *Wire {
	inR, inW := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	w := &Wire{t: t, in: inW, Cancel: cancel, Done: make(chan error, 1)}
	go func() { w.Done <- serve(ctx, inR, &output{w}) }()
	t.Cleanup(func() { cancel(); inW.Close() })
	return w
}

// output receives the server's lines.
type output struct{ wire *Wire }

func (o *output) Write(p []byte) (int, error) {
	line, whole := strings.CutSuffix(string(p), "\n")
	if !whole || strings.Contains(line, "\n") {
		o.wire.t.Errorf("one Write held %q, want one line", p)
	}
	o.wire.mu.Lock()
	defer o.wire.mu.Unlock()
	o.wire.lines = append(o.wire.lines, line)
	return len(p), nil
}

// Send writes text, which may be several lines or a part of a line.
func (w *Wire) Send(text string) {
	w.t.Helper()
	if _, err := io.WriteString(w.in, text); err != nil {
		w.t.Fatal(err)
	}
}

// Received waits until the server is idle, and returns the lines since the last call of
// Received. No time passes in the bubble.
func (w *Wire) Received() []string {
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	lines := w.lines
	w.lines = nil
	return lines
}

// CloseInput ends the input.
func (w *Wire) CloseInput() { w.in.Close() }

// End ends the input and waits until Serve returns. An error of Serve fails the test.
func (w *Wire) End() {
	w.t.Helper()
	w.CloseInput()
	if err := <-w.Done; err != nil {
		w.t.Errorf("serve: %v", err)
	}
}
