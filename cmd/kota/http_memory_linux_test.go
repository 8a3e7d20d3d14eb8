package main

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
)

const (
	maxPosted  = 4 << 20
	postPrefix = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory_set","arguments":{"key":"k","value":`
)

// callWithManyKeys returns a call of the maximum length whose decoded form takes many
// times that.
func callWithManyKeys() string {
	keys := strings.Builder{}
	for keys.WriteString(postPrefix + "{"); keys.Len() < maxPosted-1000; {
		keys.WriteString(`"` + strings.Repeat("k", 1+keys.Len()%7) + `":[],`)
	}
	return keys.String() + `"z":0}}}}`
}

// Endless bodies, and as many as permitted at once, take bounded memory.
func TestNoPostTakesMuchMemory(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector takes memory of its own: run it without -race")
	}
	w := startHTTPServer(t, t.TempDir())
	session := w.beginSession()
	const head = postPrefix
	t.Run("64 MB", func(t *testing.T) {
		body := head + strings.Repeat("1", 64<<20) + "}}}"
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() { w.postTooMuch(t, body, session) })
		}
		all.Wait()
	})
	for name, c := range map[string]struct {
		body   string
		status int
	}{
		"as long as it may": {head + `"` + strings.Repeat("x", maxPosted-len(head)-8) + `"}}}`, http.StatusOK},
		"many keys":         {callWithManyKeys(), http.StatusOK},
		"not JSON":          {strings.Repeat("[", maxPosted), http.StatusBadRequest},
	} {
		t.Run(name, func(t *testing.T) {
			var all sync.WaitGroup
			for i := range 6 {
				all.Go(func() {
					body := strings.Replace(c.body, `"id":1,`, fmt.Sprintf(`"id":%d,`, 10+i), 1)
					if got := w.ask(http.MethodPost, body, session); got.status != c.status {
						t.Errorf("got %d %.200s, want %d", got.status, got.body, c.status)
					}
				})
			}
			all.Wait()
		})
	}
	if got := w.ask(http.MethodPost, toolCall("alive", "memory_set", object{"key": "alive", "value": "yes"}), session); !strings.Contains(got.body, "created") {
		t.Errorf("afterwards nothing works: %d %s", got.status, got.body)
	}
	peak := memoryOf(t, w.cmd.Process.Pid, "VmHWM:")
	t.Logf("%d MB", peak>>20)
	if peak > maxMemory {
		t.Errorf("it took %d MB, want at most %d", peak>>20, maxMemory>>20)
	}
	w.stop()
}

// postTooMuch sends a request that the server refuses by its length. The server answers and closes
// the connection before it has read all of it. A client that still sends then sees a reset
// connection, and not always the answer.
func (w *httpServer) postTooMuch(t *testing.T, body string, within func(*http.Request)) {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.url, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return
	}
	r.Header.Set("Authorization", "Bearer "+w.token)
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Content-Type", "application/json")
	within(r)
	response, err := http.DefaultClient.Do(r)
	if errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) {
		return
	}
	if err != nil {
		t.Error(err)
		return
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("got %s, want 413", response.Status)
	}
}
