package main

import (
	"bufio"
	"net/http"
	"strings"
	"testing"
)

// A client is notified of what another program has written, and of nothing
// else.
func TestWritesOfAnotherProcessNotifyClient(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	set := func(key, value string) { runKota(t, home, nil, 0, "call", "memory_set", "key="+key, "value="+value) }
	set("theme", "dark")
	w := startHTTPServer(t, home)
	session := w.beginSession()
	w.ask(http.MethodPost, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, session)
	if got := w.ask(http.MethodPost, `{"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"memory://theme"}}`, session); !strings.Contains(got.body, `"result":{}`) {
		t.Fatalf("subscribe: %d %s", got.status, got.body)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.url, nil)
	if err != nil {
		t.Fatal(err)
	}
	changeAll(session, header("Authorization", "Bearer "+w.token), header("Accept", "text/event-stream"))(r)
	stream, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	set("other", "1")
	set("theme", "light")
	lines := bufio.NewScanner(stream.Body)
	for lines.Scan() {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			if !strings.Contains(data, "notifications/resources/updated") || !strings.Contains(data, "memory://theme") {
				t.Errorf("got %s", data)
			}
			break
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	w.stop() // although a client still listens
}
