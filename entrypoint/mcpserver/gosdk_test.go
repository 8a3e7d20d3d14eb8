package mcpserver

import (
	"context"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kota/entrypoint/transport"
)

// connectGoSDK connects the official Go SDK, which speaks 2026-07-28, over a real
// socket. updated gets the URI of every resource that is reported as changed.
func connectGoSDK(t *testing.T, endpoint *transport.Endpoint) (session *mcp.ClientSession, updated chan string) {
	t.Helper()
	server := httptest.NewServer(endpoint)
	t.Cleanup(server.Close)
	updated = make(chan string, 10)
	client := mcp.NewClient(&mcp.Implementation{Name: "go-sdk", Version: "1.8.0"}, &mcp.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { updated <- r.Params.URI },
	})
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: server.URL}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	if got := session.InitializeResult().ProtocolVersion; got != "2026-07-28" {
		t.Fatalf("the SDK speaks %s; this test is about 2026-07-28", got)
	}
	return session, updated
}

func TestGoSDKWorksAfterCancelledCall(t *testing.T) {
	session, _ := connectGoSDK(t, newToyServer().endpoint(t))
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		if _, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "wait"}); err == nil {
			t.Error("a cancelled call succeeded")
		}
		cancel()
		// The SDK sends notifications/cancelled in parallel. If that failed, the session would close a moment later.
		for range 5 {
			if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "echo", Arguments: map[string]any{"text": "hello"}}); err != nil {
				t.Fatalf("after a cancelled call: %v", err)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

func TestGoSDKUnsubscribesAndSubscribesAgain(t *testing.T) {
	s := &changingResources{texts: map[string]string{"a": "1"}, changed: make(chan struct{})}
	session, updated := connectGoSDK(t, s.endpoint(t))
	for _, text := range []string{"2", "3"} {
		if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "things://a"}); err != nil {
			t.Fatal(err)
		}
		for s.watching.Load() == 0 {
			time.Sleep(time.Millisecond)
		}
		s.texts["a"] = text
		s.changed <- struct{}{}
		select {
		case uri := <-updated:
			if uri != "things://a" {
				t.Errorf("reported %s, want things://a", uri)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("the change was not reported")
		}
		if err := session.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: "things://a"}); err != nil {
			t.Fatal(err)
		}
		for s.watching.Load() > 0 {
			time.Sleep(time.Millisecond)
		}
		if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "things_get"}); err != nil {
			t.Fatalf("after unsubscribing: %v", err)
		}
	}
}
