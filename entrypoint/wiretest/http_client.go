package wiretest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// A Client is a client of an HTTP endpoint, within a synctest bubble and without a network.
type Client struct {
	T         *testing.T
	Endpoint  http.Handler
	Principal string
	Session   string                                                      // "" before BeginSession, and for a client of 2026-07-28
	Admit     func(ctx context.Context, principal string) context.Context // returns the context of an admitted request
}

// A Response is the answer to a request so far.
type Response struct {
	*httptest.ResponseRecorder
	Disconnect context.CancelFunc // closes the connection of the request
	complete   atomic.Bool
	mu         sync.Mutex // guards the body: a heartbeat may write it while the test reads it
}

func (s *Response) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ResponseRecorder.Write(p)
}

// Complete reports whether the answer is complete.
func (s *Response) Complete() bool { return s.complete.Load() }

func (s *Response) body() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Body.String()
}

// Send makes a request. The headers are pairs of a name and a value. Send returns when the
// request is answered or waits for something.
func (v *Client) Send(method, body string, headers ...string) *Response {
	ctx, leave := context.WithCancel(v.Admit(v.T.Context(), v.Principal))
	r := httptest.NewRequestWithContext(ctx, method, "/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if v.Session != "" {
		r.Header.Set("Mcp-Session-Id", v.Session)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	sent := &Response{ResponseRecorder: httptest.NewRecorder(), Disconnect: leave}
	go func() {
		v.Endpoint.ServeHTTP(sent, r)
		sent.complete.Store(true)
	}()
	synctest.Wait()
	return sent
}

// Post is Send with the method POST.
func (v *Client) Post(body string, headers ...string) *Response {
	return v.Send(http.MethodPost, body, headers...)
}

// BeginSession returns a client with a new session. The client can ask its user.
func (v *Client) BeginSession() *Client {
	v.T.Helper()
	began := *v
	began.Session = ""
	hello := began.Post(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"1"}}}`)
	if began.Session = hello.Header().Get("Mcp-Session-Id"); began.Session == "" {
		v.T.Fatalf("initialize: %d %s", hello.Code, hello.Body)
	}
	began.Post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return &began
}

// CallModern makes a call like a client of 2026-07-28, with additional headers as in Send.
func (v *Client) CallModern(id int, tool, args string, headers ...string) *Response {
	return v.Post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{"progressToken":%d,"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`, id, tool, args, id),
		append(headers, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", tool)...)
}

// CallLegacy makes a call within the session.
func (v *Client) CallLegacy(id int, tool, args string) *Response {
	return v.Post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{"progressToken":%d}}}`, id, tool, args, id))
}

// Events returns the messages of an event stream so far.
func (s *Response) Events(t *testing.T) []string {
	t.Helper()
	synctest.Wait()
	if got := s.Header().Get("Content-Type"); got != "text/event-stream" {
		t.Fatalf("the answer is %s: %s", got, s.Body)
	}
	var messages []string
	for _, event := range strings.Split(s.body(), "\n\n") {
		if _, data, ok := strings.Cut(event, "data: "); ok {
			messages = append(messages, data)
		}
	}
	return messages
}

// Expect fails the test unless the answer is complete, has this status and contains the text.
func (s *Response) Expect(t *testing.T, status int, text string) {
	t.Helper()
	synctest.Wait()
	if !s.complete.Load() || s.Code != status || !strings.Contains(s.Body.String(), text) {
		t.Errorf("got over %v, %d %s; want %d and %q", s.complete.Load(), s.Code, s.Body, status, text)
	}
}

// Listen subscribes like a client of 2026-07-28 to changes of these resources.
func (v *Client) Listen(id int, uris ...string) *Response {
	return v.Post(ListenRequest(fmt.Sprint(id), uris...), "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "subscriptions/listen")
}

// ListenRequest returns the request that Listen sends. The id is JSON.
func ListenRequest(id string, uris ...string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["%s"]},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`,
		id, strings.Join(uris, `","`))
}
