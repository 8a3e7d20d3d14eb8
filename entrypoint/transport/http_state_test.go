package transport

import (
	"context"
	"kota/entrypoint/wiretest"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// The messages of many people must not use the memory of many large bodies.
func TestEndpointsShareLimitOnLargeBodiesTogether(t *testing.T) {
	runWithClient(t, "of one, the other's message waits", func(t *testing.T, v *wiretest.Client, _ *toyHandler) {
		other := newTestClient(t, NewEndpoint(t.Context(), newToy(), quiet).ShareBodyLimit(endpoint(v)))
		other.Principal = "bob"
		for range maxLarge {
			endpoint(v).largeBodies <- struct{}{}
		}
		waits := other.CallModern(1, "echo", `{"text":"`+strings.Repeat("x", smallBody)+`"}`)
		if waits.Complete() {
			t.Fatalf("it is answered without a place: %d", waits.Code)
		}
		other.CallModern(2, "echo", `{"text":"short"}`).Expect(t, 200, "result")
		<-endpoint(v).largeBodies
		waits.Expect(t, 200, "result")
	})
}

// listenByProtocol has the ways to listen, by protocol version.
var listenByProtocol = map[string]func(*wiretest.Client) *wiretest.Response{
	"2025-11-25": func(v *wiretest.Client) *wiretest.Response { return v.Send(http.MethodGet, "") },
	"2026-07-28": func(v *wiretest.Client) *wiretest.Response {
		asks := strings.Replace(wiretest.ListenRequest("5"), `"resourceSubscriptions":[""]`, `"toolsListChanged":true`, 1)
		return v.Post(asks, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "subscriptions/listen")
	},
}

// After a token is replaced, a stream opened with the old one ends. A call that was admitted
// before still gets its answer.
func TestStreamEndsWhenTokenIsReplaced(t *testing.T) {
	for era, listen := range listenByProtocol {
		runWithClient(t, era, func(t *testing.T, v *wiretest.Client, toy *toyHandler) {
			var replaced atomic.Bool
			v = v.BeginSession()
			v.Admit = func(ctx context.Context, who string) context.Context {
				return Principal{Name: who, Valid: func() bool { return !replaced.Load() }}.NewContext(ctx)
			}
			works, stream := v.CallLegacy(1, "stubborn", "{}"), listen(v)
			time.Sleep(3 * heartbeat)
			if synctest.Wait(); stream.Complete() {
				t.Fatalf("it ends before: %d %s", stream.Code, stream.Body)
			}
			replaced.Store(true)
			time.Sleep(heartbeat)
			if synctest.Wait(); !stream.Complete() || works.Complete() {
				t.Errorf("after %s it is over: %v, and so is a call: %v; want it alone", heartbeat, stream.Complete(), works.Complete())
			}
			close(toy.release)
			synctest.Wait()
			works.Expect(t, 200, "result")
		})
	}
}

// Clients that only listen do not keep a tenant open, and a running call does.
func TestListenersDoNotKeepEndpointBusy(t *testing.T) {
	for era, listen := range listenByProtocol {
		runWithClient(t, era, func(t *testing.T, v *wiretest.Client, toy *toyHandler) {
			v = v.BeginSession()
			wants := func(when string, listeners int, busy bool) {
				t.Helper()
				synctest.Wait()
				if got := endpoint(v).Listeners(); got != listeners || endpoint(v).Busy() != busy {
					t.Errorf("%s: %d listen, and it is busy: %v; want %d, %v", when, got, endpoint(v).Busy(), listeners, busy)
				}
			}
			wants("at first", 0, false)
			stream := listen(v)
			if stream.Complete() {
				t.Fatalf("the stream ends at once: %d %s", stream.Code, stream.Body)
			}
			wants("with a stream", 1, false)
			works := v.CallLegacy(1, "stubborn", "{}")
			wants("with a call beside it", 1, true)
			works.Disconnect()
			wants("whose client is gone", 1, true)
			close(toy.release)
			wants("and that is over", 1, false)
			stream.Disconnect()
			wants("without the stream", 0, false)
		})
	}
}
