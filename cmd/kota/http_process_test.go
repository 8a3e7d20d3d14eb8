package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// httpServer is a `kota serve --http` that runs as a process.
type httpServer struct {
	t      testing.TB
	cmd    *exec.Cmd
	url    string // of its endpoint
	token  string
	stdout bytes.Buffer

	mu     sync.Mutex
	stderr strings.Builder
	ended  chan struct{} // closed when stderr is
	killed sync.Once
}

var addressLine = regexp.MustCompile(`serves MCP at (https?://\S+);`)

// startHTTPServer starts the program on that home and a free port. It is killed when
// the test ends, unless it has ended.
func startHTTPServer(t testing.TB, home string, args ...string) *httpServer {
	t.Helper()
	return startHTTPServerOf(t, "kota", home, args...)
}

// startHTTPServerWith is startHTTPServer with more variables in the environment.
func startHTTPServerWith(t testing.TB, home string, env []string, args ...string) *httpServer {
	t.Helper()
	return startProgram(t, "kota", home, env, args...)
}

// startHTTPServerOf is startHTTPServer for another build of the program.
func startHTTPServerOf(t testing.TB, program, home string, args ...string) *httpServer {
	t.Helper()
	return startProgram(t, program, home, nil, args...)
}

func startProgram(t testing.TB, program, home string, env []string, args ...string) *httpServer {
	t.Helper()
	w := &httpServer{t: t, ended: make(chan struct{})}
	w.cmd = exec.Command(program, append([]string{"serve", "--http", "127.0.0.1:0"}, args...)...)
	w.cmd.Env = append(os.Environ(), "KOTA_HOME="+home, "KOTA_CONFIG=", "KOTA_NOW="+testTime)
	w.cmd.Env = append(w.cmd.Env, env...)
	w.cmd.Stdout = &w.stdout
	stderr, err := w.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.cmd.Process.Kill() })
	lines := bufio.NewScanner(stderr)
	for w.url == "" && lines.Scan() {
		w.stderr.WriteString(lines.Text() + "\n")
		if at := addressLine.FindStringSubmatch(lines.Text()); at != nil {
			w.url = at[1]
		}
	}
	if w.url == "" {
		t.Fatalf("it does not serve: %s", w.stderr.String())
	}
	go func() {
		defer close(w.ended)
		for lines.Scan() {
			w.mu.Lock()
			w.stderr.WriteString(lines.Text() + "\n")
			w.mu.Unlock()
		}
	}()
	w.token = tokenOf(t, home)
	return w
}

func tokenOf(t testing.TB, home string) string {
	t.Helper()
	outcome := runHere(t, []string{"KOTA_HOME=" + home, "KOTA_CONFIG="}, "http", "token")
	if outcome.Status != 0 {
		t.Fatalf("kota http token ended with %d: %s", outcome.Status, outcome.Stderr)
	}
	return strings.TrimSpace(string(outcome.Stdout))
}

// stop ends it like a signal, and returns what it wrote to stderr.
func (w *httpServer) stop() string {
	w.t.Helper()
	if err := w.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		w.t.Fatal(err)
	}
	<-w.ended
	if err := w.cmd.Wait(); err != nil {
		w.t.Errorf("%v; stderr: %s", err, w.stderr.String())
	}
	if w.stdout.Len() > 0 {
		w.t.Errorf("stdout has %q, want nothing", w.stdout.String())
	}
	return w.stderr.String()
}

// httpAnswer is the answer to a request.
type httpAnswer struct {
	status int
	header http.Header
	body   string
}

// ask sends a valid request after change has changed it.
func (w *httpServer) ask(method, body string, change func(*http.Request)) httpAnswer {
	w.t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), method, w.url, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+w.token)
	r.Header.Set("Accept", "application/json, text/event-stream")
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	if change != nil {
		change(r)
	}
	return doRequest(w.t, r)
}

func doRequest(t testing.TB, r *http.Request) httpAnswer {
	t.Helper()
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return httpAnswer{response.StatusCode, response.Header, string(body)}
}

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

const initializeRequest = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"test","version":"1"}}}`

// beginSession begins a session, and returns a function that puts a request into it.
func (w *httpServer) beginSession() (within func(*http.Request)) {
	w.t.Helper()
	hello := w.ask(http.MethodPost, initializeRequest, nil)
	id := hello.header.Get("Mcp-Session-Id")
	if hello.status != http.StatusOK || id == "" {
		w.t.Fatalf("initialize: %d %s", hello.status, hello.body)
	}
	return header("Mcp-Session-Id", id)
}

// modernRequest returns a request of 2026-07-28, and the headers that it needs.
func modernRequest(method string, params object) (body string, change func(*http.Request)) {
	return modernRequestOf(cannotAsk, method, params)
}

// modernRequestOf is modernRequest for a client with these capabilities, which it sends with
// every request.
func modernRequestOf(capabilities, method string, params object) (body string, change func(*http.Request)) {
	params["_meta"] = object{
		"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
		"io.modelcontextprotocol/clientInfo":         object{"name": "test", "version": "1"},
		"io.modelcontextprotocol/clientCapabilities": json.RawMessage(capabilities),
	}
	raw, err := json.Marshal(object{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		panic(err)
	}
	return string(raw), func(r *http.Request) {
		r.Header.Set("Mcp-Protocol-Version", "2026-07-28")
		r.Header.Set("Mcp-Method", method)
		if name, ok := params["name"].(string); ok {
			r.Header.Set("Mcp-Name", name)
		}
	}
}

// changeAll returns a change that makes all these changes, in order.
func changeAll(changes ...func(*http.Request)) func(*http.Request) {
	return func(r *http.Request) {
		for _, change := range changes {
			change(r)
		}
	}
}
