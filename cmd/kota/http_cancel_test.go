package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// KOTA sends Google no more requests for a client that has cancelled.
func TestCancelledReadStopsRequestsToGoogle(t *testing.T) {
	d, _ := newHomeWithToken(t)
	begun, stopped := make(chan struct{}), make(chan struct{}, 100)
	hangs := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case begun <- struct{}{}:
			<-r.Context().Done()
			stopped <- struct{}{}
		case <-r.Context().Done():
		}
	}))
	defer hangs.Close()
	t.Setenv("KOTA_GOOGLE_ENDPOINT", hangs.URL)
	w := startHTTPServer(t, d.home)
	session := w.beginSession()

	answered := make(chan httpAnswer, 1)
	go func() {
		answered <- w.ask(http.MethodPost, toolCall(5, "gmail_search_messages", object{"query": "invoice"}), session)
	}()
	select {
	case <-begun:
	case got := <-answered:
		t.Fatalf("it did not ask: %d %s", got.status, got.body)
	}
	if got := w.ask(http.MethodPost, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`, session); got.status != http.StatusAccepted {
		t.Errorf("the cancelling is answered %d %s", got.status, got.body)
	}
	<-stopped
	if got := <-answered; got.body != "" {
		t.Errorf("what is cancelled is answered %d %s", got.status, got.body)
	}

	ctx, leave := context.WithCancel(t.Context())
	body, headers := modernRequest("tools/call", object{"name": "gmail_search_messages", "arguments": object{"query": "invoice"}})
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	changeAll(headers, header("Authorization", "Bearer "+w.token), header("Content-Type", "application/json"))(r)
	left := make(chan error, 1)
	go func() {
		_, err := http.DefaultClient.Do(r)
		left <- err
	}()
	select {
	case <-begun:
	case err := <-left:
		t.Fatalf("it did not ask: %v", err)
	}
	leave()
	<-stopped
	if err := <-left; err == nil {
		t.Error("who has left was answered")
	}
	w.stop()
}
