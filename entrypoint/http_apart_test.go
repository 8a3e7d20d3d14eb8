package entrypoint

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Many people are not to take the memory of many with what they send.
func TestEndpointsBesideEachOtherHavePlacesForLargeMessagesTogether(t *testing.T) {
	visit(t, "of one, the other's message waits", func(t *testing.T, v *visitor, _ *toyServer) {
		other := &visitor{t: t, who: "bob", endpoint: newEndpoint(t.Context(), newToyServer().host(), quiet).Beside(v.endpoint)}
		for range maxLarge {
			v.endpoint.large <- struct{}{}
		}
		waits := other.modern(1, "echo", `{"text":"`+strings.Repeat("x", small)+`"}`)
		if waits.over.Load() {
			t.Fatalf("it is answered without a place: %d", waits.Code)
		}
		other.modern(2, "echo", `{"text":"short"}`).says(t, 200, "result")
		<-v.endpoint.large
		waits.says(t, 200, "result")
	})
}

// listens are the ways to listen, by era.
var listens = map[string]func(*visitor) *visitOf{
	"2025-11-25": func(v *visitor) *visitOf { return v.send(http.MethodGet, "") },
	"2026-07-28": func(v *visitor) *visitOf {
		asks := strings.Replace(listenRequest("5"), `"resourceSubscriptions":[""]`, `"toolsListChanged":true`, 1)
		return v.post(asks, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "subscriptions/listen")
	},
}

// Whoever has stolen a token is told nothing when it was replaced; a call that was let
// in before is answered.
func TestAStreamEndsWhenItsTokenIsReplaced(t *testing.T) {
	for era, listen := range listens {
		visit(t, era, func(t *testing.T, v *visitor, toy *toyServer) {
			var replaced atomic.Bool
			v = v.begin()
			v.still = func() bool { return !replaced.Load() }
			works, stream := v.legacy(1, "stubborn", "{}"), listen(v)
			time.Sleep(3 * heartbeat)
			if synctest.Wait(); stream.over.Load() {
				t.Fatalf("it ends before: %d %s", stream.Code, stream.Body)
			}
			replaced.Store(true)
			time.Sleep(heartbeat)
			if synctest.Wait(); !stream.over.Load() || works.over.Load() {
				t.Errorf("after %s it is over: %v, and so is a call: %v; want it alone", heartbeat, stream.over.Load(), works.over.Load())
			}
			close(toy.release)
			synctest.Wait()
			works.says(t, 200, "result")
		})
	}
}

// A house is not to be kept open by who only listens, and never closed over a call.
func TestWhoOnlyListensIsNotBusy(t *testing.T) {
	for era, listen := range listens {
		visit(t, era, func(t *testing.T, v *visitor, toy *toyServer) {
			v = v.begin()
			wants := func(when string, listeners int, busy bool) {
				t.Helper()
				synctest.Wait()
				if got := v.endpoint.Listeners(); got != listeners || v.endpoint.Busy() != busy {
					t.Errorf("%s: %d listen, and it is busy: %v; want %d, %v", when, got, v.endpoint.Busy(), listeners, busy)
				}
			}
			wants("at first", 0, false)
			stream := listen(v)
			if stream.over.Load() {
				t.Fatalf("the stream ends at once: %d %s", stream.Code, stream.Body)
			}
			wants("with a stream", 1, false)
			works := v.legacy(1, "stubborn", "{}")
			wants("with a call beside it", 1, true)
			works.leave()
			wants("whose client is gone", 1, true)
			close(toy.release)
			wants("and that is over", 1, false)
			stream.leave()
			wants("without the stream", 0, false)
		})
	}
}
