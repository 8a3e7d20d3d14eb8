package entrypoint

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// A visitor is a client of an Endpoint, within a bubble and without a network.
type visitor struct {
	t        *testing.T
	endpoint *Endpoint
	who      string
	session  string      // "" before begin, and for one of 2026-07-28
	still    func() bool // see WithStill; nil: for ever
}

// visit runs a test with a client of a toy server.
func visit(t *testing.T, name string, test func(*testing.T, *visitor, *toyServer)) {
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			toy := newToyServer()
			test(t, &visitor{t: t, endpoint: newEndpoint(t.Context(), toy.host(), quiet), who: "ann"}, toy)
		})
	})
}

func (toy *toyServer) host() *host { return newHost(toy.MCPServer, nil, nil, quiet) }

var quiet = slog.New(slog.DiscardHandler)

// A visitOf is a request on its way.
type visitOf struct {
	*httptest.ResponseRecorder
	leave context.CancelFunc // closes its connection
	over  atomic.Bool
	mu    sync.Mutex // held by who writes the body, a heartbeat for instance, and by who reads it
}

func (s *visitOf) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ResponseRecorder.Write(p)
}

func (s *visitOf) body() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Body.String()
}

// send makes a request, and returns once it is answered or waits for something.
func (v *visitor) send(method, body string, headers ...string) *visitOf {
	ctx, leave := context.WithCancel(WithPrincipal(v.t.Context(), v.who))
	if v.still != nil {
		ctx = WithStill(ctx, v.still)
	}
	r := httptest.NewRequestWithContext(ctx, method, "/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if v.session != "" {
		r.Header.Set("Mcp-Session-Id", v.session)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	sent := &visitOf{ResponseRecorder: httptest.NewRecorder(), leave: leave}
	go func() {
		v.endpoint.ServeHTTP(sent, r)
		sent.over.Store(true)
	}()
	synctest.Wait()
	return sent
}

func (v *visitor) post(body string, headers ...string) *visitOf {
	return v.send(http.MethodPost, body, headers...)
}

// begin begins a session, of a client that can ask its user.
func (v *visitor) begin() *visitor {
	v.t.Helper()
	began := *v
	began.session = ""
	hello := began.post(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"1"}}}`)
	if began.session = hello.Header().Get("Mcp-Session-Id"); began.session == "" {
		v.t.Fatalf("initialize: %d %s", hello.Code, hello.Body)
	}
	began.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return &began
}

// modern makes a call as a client of 2026-07-28 does, with more headers.
func (v *visitor) modern(id int, tool, args string, headers ...string) *visitOf {
	return v.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{"progressToken":%d,"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`, id, tool, args, id),
		append(headers, "Mcp-Protocol-Version", mcp.ProtocolVersion20260728, "Mcp-Method", "tools/call", "Mcp-Name", tool)...)
}

// legacy makes a call within the session.
func (v *visitor) legacy(id int, tool, args string) *visitOf {
	return v.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{"progressToken":%d}}}`, id, tool, args, id))
}

// events returns the messages of a stream.
func (s *visitOf) events(t *testing.T) []string {
	t.Helper()
	synctest.Wait()
	if got := s.Header().Get("Content-Type"); got != "text/event-stream" {
		t.Fatalf("the answer is %s: %s", got, s.Body)
	}
	var all []string
	for _, event := range strings.Split(s.body(), "\n\n") {
		if _, data, ok := strings.Cut(event, "data: "); ok {
			all = append(all, data)
		}
	}
	return all
}

// says fails the test unless the request was answered with that.
func (s *visitOf) says(t *testing.T, status int, text string) {
	t.Helper()
	synctest.Wait()
	if !s.over.Load() || s.Code != status || !strings.Contains(s.Body.String(), text) {
		t.Errorf("got over %v, %d %s; want %d and %q", s.over.Load(), s.Code, s.Body, status, text)
	}
}

func TestWhatIsNotifiedLastIsNotLost(t *testing.T) {
	for era, call := range map[string]func(*visitor, int) *visitOf{
		"2025-11-25": func(v *visitor, id int) *visitOf { return v.legacy(id, "progress", "{}") },
		"2026-07-28": func(v *visitor, id int) *visitOf { return v.modern(id, "progress", "{}") },
	} {
		visit(t, era, func(t *testing.T, v *visitor, _ *toyServer) {
			v = v.begin()
			for id := range 50 {
				events := call(v, id).events(t)
				if len(events) != 21 || !strings.Contains(events[20], `"done"`) {
					t.Fatalf("%d events, the last %s; want 20 and the answer", len(events), events[len(events)-1])
				}
				for i, event := range events[:20] {
					if !strings.Contains(event, fmt.Sprintf(`"progress":%d,"progressToken":%d}`, i, id)) {
						t.Fatalf("event %d of call %d is %s", i, id, event)
					}
				}
			}
		})
	}
}

func TestACallIsToldOfNoOther(t *testing.T) {
	visit(t, "in one session, on its streams", func(t *testing.T, v *visitor, toy *toyServer) {
		v = v.begin()
		listening := v.send(http.MethodGet, "")
		waiting := v.legacy(1, "stubborn", "{}")
		going := v.modern(2, "progress", "{}")
		if got := len(going.events(t)); got != 21 {
			t.Errorf("the call has %d events, want its own 21", got)
		}
		if err := toy.SendNotificationToSpecificClient(v.session, "notifications/tools/list_changed", nil); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if got := listening.events(t); len(got) != 1 || !strings.Contains(got[0], "list_changed") {
			t.Errorf("who listens got %v, want what belongs to no call", got)
		}
		close(toy.release)
		synctest.Wait()
		waiting.says(t, 200, "at last")
		if got := waiting.Header().Get("Content-Type"); got != "application/json" {
			t.Errorf("a call during which nothing was told is answered as %s", got)
		}
		listening.leave()
		v.send(http.MethodDelete, "").says(t, 204, "")
	})
	visit(t, "without one, whoever else calls at the time", func(t *testing.T, v *visitor, toy *toyServer) {
		bob := *v
		bob.who = "bob"
		var going []*visitOf
		for id := range 20 {
			who := []*visitor{v, &bob}[id%2]
			going = append(going, who.modern(id, "progress", `{"late":true}`))
		}
		close(toy.release)
		synctest.Wait()
		for id, call := range going {
			events := call.events(t)
			if len(events) != 21 {
				t.Fatalf("call %d has %d events, want its own 21", id, len(events))
			}
			for i, event := range events[:20] {
				if !strings.Contains(event, fmt.Sprintf(`"progress":%d,"progressToken":%d}`, i, id)) {
					t.Fatalf("event %d of call %d is %s", i, id, event)
				}
			}
		}
	})
}

func TestCallsOfASessionKeepTheirOrder(t *testing.T) {
	visit(t, "a read waits for the write before it", func(t *testing.T, v *visitor, toy *toyServer) {
		v = v.begin()
		first := v.legacy(1, "stubborn", "{}")
		second := v.legacy(2, "put", `{"text":"x"}`)
		third := v.legacy(3, "get", "{}")
		fourth := v.post(`{"jsonrpc":"2.0","id":4,"method":"ping"}`)
		if first.over.Load() || second.over.Load() || third.over.Load() || !fourth.over.Load() {
			t.Errorf("over: %v %v %v %v; want ping alone", first.over.Load(), second.over.Load(), third.over.Load(), fourth.over.Load())
		}
		close(toy.release)
		time.Sleep(time.Minute) // of the bubble: put takes a moment
		first.says(t, 200, "at last")
		second.says(t, 200, "stored")
		third.says(t, 200, `"x"`)
	})
}

func TestIdsComeBackAsTheyWere(t *testing.T) {
	visit(t, "in a session and without", func(t *testing.T, v *visitor, toy *toyServer) {
		v = v.begin()
		for _, id := range []string{"9007199254740993", `"7"`, "-0", `"\u00e9"`, "12345678901234567890123"} {
			got := v.post(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)
			got.says(t, 200, `"id":`+id+`,`)
		}
		defer close(toy.release)
		waiting := v.legacy(5, "stubborn", "{}")
		v.legacy(5, "echo", "{}").says(t, 400, "still being served")
		v.begin().post(`{"jsonrpc":"2.0","id":5,"method":"ping"}`).says(t, 200, `"id":5`)
		one, other := v.modern(5, "wait", "{}"), v.modern(5, "wait", "{}") // of two clients, for all anybody knows
		if one.over.Load() || other.over.Load() || waiting.over.Load() {
			t.Error("what has the same id from elsewhere was answered")
		}
		one.leave()
		other.leave()
		synctest.Wait()
	})
}

func TestMessagesAreJSON(t *testing.T) {
	visit(t, "on many lines too", func(t *testing.T, v *visitor, _ *toyServer) {
		v = v.begin()
		var pretty strings.Builder
		encoder := json.NewEncoder(&pretty)
		encoder.SetIndent("\t", "  ")
		if err := encoder.Encode(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "ping"}); err != nil {
			t.Fatal(err)
		}
		v.post(strings.ReplaceAll(pretty.String(), "\n", "\r\n")).says(t, 200, `"result"`)
	})
}
