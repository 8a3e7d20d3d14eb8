package entrypoint

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the expected answers in testdata/wire")

// TestWire plays the conversations of testdata/wire/toy with a toy server.
func TestWire(t *testing.T) {
	playConversations(t, filepath.Join("testdata", "wire", "toy"), func(testing.TB) *server.MCPServer {
		return newToyServer().MCPServer
	})
}

// playConversations plays every txtar archive in dir with a server of its own
// and compares what it answers, byte for byte but for white space. In an
// archive, each "client" section is sent at once, line by line; the "server"
// section after it holds what comes back before the server waits for more.
// The last one also holds what comes after the end of the input. Time is
// testing/synctest's: nothing is waited for in earnest, and now is 2000-01-01.
func playConversations(t *testing.T, dir string, newServer func(testing.TB) *server.MCPServer) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no conversations in %s (%v)", dir, err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			played := &txtar.Archive{Comment: archive.Comment}
			synctest.Test(t, func(t *testing.T) { played.Files = converse(t, archive.Files, newServer(t)) })
			if *update {
				if err := os.WriteFile(path, txtar.Format(played), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(txtar.Format(archive)), string(txtar.Format(played))); diff != "" {
				t.Errorf("%s (-want +got, -update rewrites it):\n%s", path, diff)
			}
		})
	}
}

// converse returns the archive's sections as they came out.
func converse(t *testing.T, sections []txtar.File, s *server.MCPServer) []txtar.File {
	w := startWire(t, s)
	var played []txtar.File
	for _, section := range sections {
		if section.Name != "client" {
			continue
		}
		w.send(string(section.Data))
		played = append(played, section, txtar.File{Name: "server", Data: pretty(t, w.received())})
	}
	w.end()
	last := &played[len(played)-1]
	last.Data = append(last.Data, pretty(t, w.received())...)
	return played
}

func pretty(t testing.TB, lines []string) []byte {
	var all bytes.Buffer
	for _, line := range lines {
		if err := json.Indent(&all, []byte(line), "", "  "); err != nil {
			t.Fatalf("%q is not JSON: %v", line, err)
		}
		all.WriteByte('\n')
	}
	return all.Bytes()
}

// A wire is a client of ServeStdio inside a synctest bubble.
type wire struct {
	t      testing.TB
	in     *io.PipeWriter
	cancel context.CancelFunc // of ServeStdio's context
	done   chan error         // what ServeStdio returned

	mu    sync.Mutex
	lines []string
}

// startWire serves s over a pipe in memory. It is called inside a bubble.
func startWire(t testing.TB, s *server.MCPServer) *wire {
	inR, inW := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	w := &wire{t: t, in: inW, cancel: cancel, done: make(chan error, 1)}
	go func() {
		w.done <- ServeStdio(ctx, s, inR, w, slog.New(slog.DiscardHandler))
	}()
	t.Cleanup(func() { cancel(); inW.Close() })
	return w
}

// Write takes a line from the server.
func (w *wire) Write(p []byte) (int, error) {
	line, whole := strings.CutSuffix(string(p), "\n")
	if !whole || strings.Contains(line, "\n") {
		w.t.Errorf("one Write held %q, want one line", p)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = append(w.lines, line)
	return len(p), nil
}

func (w *wire) send(text string) {
	w.t.Helper()
	if _, err := io.WriteString(w.in, text); err != nil {
		w.t.Fatal(err)
	}
}

// received returns what has come since it was last called, once the server has
// nothing left to do but wait. Time does not pass.
func (w *wire) received() []string {
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	lines := w.lines
	w.lines = nil
	return lines
}

// end ends the input and waits until ServeStdio has returned nil.
func (w *wire) end() {
	w.t.Helper()
	w.in.Close()
	if err := <-w.done; err != nil {
		w.t.Errorf("ServeStdio: %v", err)
	}
}
