package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// slowGoogle is a Google that answers a request once release is called.
func slowGoogle(t *testing.T) (url string, waiting *atomic.Int32, release func()) {
	waiting, released := &atomic.Int32{}, make(chan struct{})
	google := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		waiting.Add(1)
		select {
		case <-released:
		case <-r.Context().Done():
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"resultSizeEstimate":0}`)
	}))
	t.Cleanup(google.Close)
	release = sync.OnceFunc(func() { close(released) })
	t.Cleanup(release)
	return google.URL, waiting, release
}

// openStream sends a request whose answer is a stream. It returns the lines of the stream, and
// closes the channel when the stream ends.
func (w *httpServer) openStream(method, body string, change func(*http.Request)) <-chan string {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), method, w.url, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	changeAll(header("Authorization", "Bearer "+w.token), header("Content-Type", "application/json"), header("Accept", "application/json, text/event-stream"), change)(r)
	stream, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	if stream.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(stream.Body)
		w.t.Fatalf("%s: got %d %s", method, stream.StatusCode, text)
	}
	lines := make(chan string, 100)
	go func() {
		defer close(lines)
		defer stream.Body.Close()
		for text := bufio.NewScanner(stream.Body); text.Scan(); {
			lines <- text.Text()
		}
	}()
	return lines
}

// checkToldToReconnect reads a stream to its end, which must say when to connect again.
func checkToldToReconnect(t *testing.T, name string, lines <-chan string) {
	t.Helper()
	var all []string
	told := false
	for line := range lines {
		all = append(all, line)
		told = told || strings.HasPrefix(line, "retry: ")
	}
	if !told {
		t.Errorf("%s does not tell its client to reconnect: %q", name, all)
	}
}

// A signal first makes the server not ready. Requests of a load balancer that has not noticed are
// served, streams move to other servers, and no running call is cut.
func TestDrainCutsNoCall(t *testing.T) {
	t.Parallel()
	const calls = 50
	d, _ := newHomeWithToken(t)
	google, waiting, release := slowGoogle(t)
	w := startHTTPServerWith(t, d.home, []string{"KOTA_GOOGLE_ENDPOINT=" + google}, "--drain", "5s")
	session := w.beginSession()
	listening := w.openStream(http.MethodGet, "", session)
	listen, listenHeaders := modernRequest("subscriptions/listen", object{"notifications": object{"resourceSubscriptions": []string{"memory://theme"}}})
	subscribed := w.openStream(http.MethodPost, listen, listenHeaders)

	answers := make(chan httpAnswer, calls)
	for i := range calls {
		go func() {
			body, headers := modernRequest("tools/call", object{"name": "gmail_search_messages", "arguments": object{"query": fmt.Sprint("invoice ", i)}})
			answers <- w.ask(http.MethodPost, body, headers)
		}()
	}
	w.waitFor("asks Google", func() bool { return waiting.Load() >= 8 })
	begun := time.Now()
	if err := w.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	readyz := func(r *http.Request) { r.URL.Path = "/readyz" }
	w.waitFor("is not ready", func() bool { return w.ask(http.MethodGet, "", readyz).status == http.StatusServiceUnavailable })
	body, headers := modernRequest("tools/call", object{"name": "memory_set", "arguments": object{"key": "theme", "value": "dark"}})
	if got := w.ask(http.MethodPost, body, headers); got.status != http.StatusOK || !strings.Contains(got.body, "created") {
		t.Errorf("a request after the signal: got %d %s", got.status, got.body)
	}
	checkToldToReconnect(t, "a GET stream", listening)
	checkToldToReconnect(t, "a subscription", subscribed)
	if took := time.Since(begun); took < time.Second {
		t.Errorf("the streams ended after %v, before a load balancer can have noticed", took)
	}
	w.waitFor("takes no connections", w.refusesRequests)
	release()
	for range calls {
		if got := <-answers; got.status != http.StatusOK || strings.Contains(got.body, `"isError":true`) || !strings.Contains(got.body, "result") {
			t.Errorf("a call was cut: %d %s", got.status, got.body)
		}
	}
	<-w.ended
	if err := w.cmd.Wait(); err != nil || time.Since(begun) > 10*time.Second {
		t.Errorf("it ended after %v: %v; stderr: %s", time.Since(begun), err, w.stderr.String())
	}
}

// Nobody can answer a question of a server that ends. The question is withdrawn, and its call is
// pending.
func TestDrainEndsOpenQuestions(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	w := startHTTPServerWith(t, d.home, nil, "--drain", "5s")
	next := w.stream(http.MethodPost, toolCall(7, "gmail_send_message", lunch), w.beginSession())
	var asked struct {
		ID     int64
		Method string
	}
	if line := next(); json.Unmarshal([]byte(line), &asked) != nil || asked.Method != "elicitation/create" {
		t.Fatalf("the user is not asked: %s", line)
	}
	if err := w.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if got := next(); !strings.Contains(got, "notifications/cancelled") || !strings.Contains(got, fmt.Sprintf(`"requestId":%d`, asked.ID)) {
		t.Errorf("the question gets %s", got)
	}
	if got := next(); !strings.Contains(got, "APPROVAL_REQUIRED") || !strings.Contains(got, "kota approve ") {
		t.Errorf("the call gets %s", got)
	}
	<-w.ended
	d.checkSent(0, "without an answer")
	if pending := d.pending(); len(pending) != 1 || pending[0].Tool != "gmail_send_message" { // at the server's time
		t.Errorf("pending: %+v", pending)
	}
}

func TestDrainIsChecked(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"serve", "--drain", "5s"}, {"serve", "--http", "127.0.0.1:0", "--drain", "1h"}, {"serve", "--http", "127.0.0.1:0", "--drain", "-1s"}, {"serve", "--http", "127.0.0.1:0", "--drain", "soon"}} {
		if output := runKota(t, t.TempDir(), nil, 2, args...); !strings.Contains(output, "drain") {
			t.Errorf("%v: it says %q", args, output)
		}
	}
}
