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

// website is a `kota serve --http` that runs as a process.
type website struct {
	t      testing.TB
	cmd    *exec.Cmd
	url    string // of its endpoint
	token  string
	stdout bytes.Buffer

	mu     sync.Mutex
	stderr strings.Builder
	ended  chan struct{} // closed when stderr is
}

var servedAt = regexp.MustCompile(`serves MCP at (https?://\S+);`)

// serveWeb starts the program on that home and a free port. It is killed when
// the test ends, unless it has ended.
func serveWeb(t testing.TB, home string, args ...string) *website {
	t.Helper()
	return serveWebOf(t, "kota", home, args...)
}

// serveWebOf is serveWeb for another build of the program.
func serveWebOf(t testing.TB, program, home string, args ...string) *website {
	t.Helper()
	w := &website{t: t, ended: make(chan struct{})}
	w.cmd = exec.Command(program, append([]string{"serve", "--http", "127.0.0.1:0"}, args...)...)
	w.cmd.Env = append(os.Environ(), "KOTA_HOME="+home, "KOTA_CONFIG=", "KOTA_NOW="+theTime)
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
		if at := servedAt.FindStringSubmatch(lines.Text()); at != nil {
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
	cmd := exec.Command("kota", "http", "token")
	cmd.Env = append(os.Environ(), "KOTA_HOME="+home, "KOTA_CONFIG=")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// end ends it like a signal, and returns what it wrote to stderr.
func (w *website) end() string {
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

// webAnswer is the answer to a request.
type webAnswer struct {
	status int
	header http.Header
	body   string
}

// ask sends a valid request after change has changed it.
func (w *website) ask(method, body string, change func(*http.Request)) webAnswer {
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
	return answerTo(w.t, r)
}

func answerTo(t testing.TB, r *http.Request) webAnswer {
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
	return webAnswer{response.StatusCode, response.Header, string(body)}
}

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

const sayHello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"test","version":"1"}}}`

// begin begins a session, and returns a function that puts a request into it.
func (w *website) begin() (within func(*http.Request)) {
	w.t.Helper()
	hello := w.ask(http.MethodPost, sayHello, nil)
	id := hello.header.Get("Mcp-Session-Id")
	if hello.status != http.StatusOK || id == "" {
		w.t.Fatalf("initialize: %d %s", hello.status, hello.body)
	}
	return header("Mcp-Session-Id", id)
}

// modern returns a request of 2026-07-28, and the headers that it needs.
func modern(method string, params object) (body string, change func(*http.Request)) {
	return modernOf(asksNobody, method, params)
}

// modernOf is modern for a client with these capabilities, which it sends with
// every request.
func modernOf(capabilities, method string, params object) (body string, change func(*http.Request)) {
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

// both makes both changes.
func both(changes ...func(*http.Request)) func(*http.Request) {
	return func(r *http.Request) {
		for _, change := range changes {
			change(r)
		}
	}
}
