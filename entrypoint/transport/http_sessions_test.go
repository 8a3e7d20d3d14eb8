package transport

import (
	"bytes"
	"context"
	"io"
	"kota/entrypoint/wiretest"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// Clients that never delete their sessions cost no more than a thousand sessions.
func TestSessionsAreLimited(t *testing.T) {
	runWithClient(t, "the one unused for the longest gives way", func(t *testing.T, v *wiretest.Client, toy *toyHandler) {
		used, unused := v.BeginSession(), v.BeginSession()
		busy := v.BeginSession()
		defer close(toy.release)
		waiting := busy.CallLegacy(1, "stubborn", "{}")
		before := heap()
		for i := range 10_000 {
			v.BeginSession()
			if i%100 == 0 {
				time.Sleep(time.Second)
				used.CallLegacy(i, "echo", "{}").Expect(t, 200, "result")
			}
		}
		if open := len(endpoint(v).sessions.open); open != MaxSessions {
			t.Errorf("%d sessions are open, want %d", open, MaxSessions)
		}
		if grown := heap() - before; grown > 40<<20 {
			t.Errorf("they take %d MB", grown>>20)
		}
		unused.CallLegacy(1, "echo", "{}").Expect(t, 404, "initialize")
		used.CallLegacy(1, "echo", "{}").Expect(t, 200, "result")
		busy.Post(`{"jsonrpc":"2.0","id":2,"method":"ping"}`).Expect(t, 200, "result")
		if waiting.Complete() {
			t.Errorf("what was under way was answered %d %s", waiting.Code, waiting.Body)
		}
	})
	runWithClient(t, "where all are in use there is no other", func(t *testing.T, v *wiretest.Client, _ *toyHandler) {
		var listening []*wiretest.Response
		for range MaxSessions {
			listening = append(listening, v.BeginSession().Send(http.MethodGet, ""))
		}
		refused := v.Post(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`)
		refused.Expect(t, 503, "maximum number of sessions")
		if refused.Header().Get("Retry-After") == "" || refused.Header().Get("Mcp-Session-Id") != "" {
			t.Errorf("it is answered with %v", refused.Header())
		}
		listening[0].Disconnect()
		synctest.Wait()
		v.BeginSession().CallLegacy(1, "echo", "{}").Expect(t, 200, "result")
		for _, one := range listening {
			one.Disconnect()
		}
	})
}

func heap() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

func TestSessionEnds(t *testing.T) {
	runWithClient(t, "after a day in which nothing came", func(t *testing.T, v *wiretest.Client, _ *toyHandler) {
		v = v.BeginSession()
		time.Sleep(SessionIdle)
		v.CallLegacy(1, "echo", "{}").Expect(t, 200, "result")
		time.Sleep(SessionIdle + time.Second)
		v.CallLegacy(2, "echo", "{}").Expect(t, 404, "initialize")
		v.BeginSession()
		if open := len(endpoint(v).sessions.open); open != 1 {
			t.Errorf("%d sessions are kept, want the new one", open)
		}
	})
	runWithClient(t, "not while somebody listens", func(t *testing.T, v *wiretest.Client, _ *toyHandler) {
		v = v.BeginSession()
		listening := v.Send(http.MethodGet, "")
		time.Sleep(3 * SessionIdle)
		v.CallLegacy(1, "echo", "{}").Expect(t, 200, "result")
		if listening.Complete() {
			t.Error("the stream has ended")
		}
		listening.Disconnect()
	})
	runWithClient(t, "when its client says so, with all that runs and listens", func(t *testing.T, v *wiretest.Client, _ *toyHandler) {
		v = v.BeginSession()
		listening, waiting := v.Send(http.MethodGet, ""), v.CallLegacy(1, "wait", "{}")
		if listening.Complete() || waiting.Complete() {
			t.Fatal("it is over before")
		}
		v.Send(http.MethodDelete, "").Expect(t, 204, "")
		synctest.Wait()
		waiting.Expect(t, 200, "context canceled")
		if !listening.Complete() {
			t.Error("the stream goes on")
		}
		v.CallLegacy(2, "echo", "{}").Expect(t, 404, "initialize")
	})
	runWithClient(t, "before it has begun, when initialize fails", func(t *testing.T, v *wiretest.Client, _ *toyHandler) {
		failed := v.Post(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":7}}`)
		failed.Expect(t, 200, `"error"`)
		if failed.Header().Get("Mcp-Session-Id") != "" || len(endpoint(v).sessions.open) != 0 {
			t.Errorf("a session is open: %v", failed.Header())
		}
	})
}

func TestSessionBelongsToPrincipal(t *testing.T) {
	runWithClient(t, "another's token does not open it", func(t *testing.T, v *wiretest.Client, _ *toyHandler) {
		hers := v.BeginSession()
		his := *hers
		his.Principal = "bob"
		his.CallLegacy(1, "echo", "{}").Expect(t, 404, "initialize")
		his.Send(http.MethodGet, "").Expect(t, 404, "initialize")
		his.Send(http.MethodDelete, "").Expect(t, 404, "initialize")
		hers.CallLegacy(1, "echo", "{}").Expect(t, 200, "result")
	})
}

// An expired session may not have ended: the next one may continue the same conversation.
func TestTaintOutlastsExpiredSession(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(*wiretest.Client)
		want bool
	}{
		"a day passes":         {func(*wiretest.Client) { time.Sleep(SessionIdle + time.Second) }, true},
		"its client ends it":   {func(v *wiretest.Client) { v.Send(http.MethodDelete, "") }, false},
		"another is begun":     {func(*wiretest.Client) {}, false},
		"others take its room": {func(v *wiretest.Client) { openMaxSessions(v) }, true},
	} {
		runWithClient(t, name, func(t *testing.T, v *wiretest.Client, _ *toyHandler) {
			first := v.BeginSession()
			began := time.Now().Add(-time.Hour)
			endpoint(v).sessions.open[first.Session].session.Inherit(Taint{Tainted: true, Began: began})
			c.end(first)
			v.BeginSession() // may be the session for which the first is evicted
			next := v.BeginSession()
			got := endpoint(v).sessions.open[next.Session].session.Taint()
			if got.Tainted != c.want || c.want && !got.Began.Equal(began) {
				t.Errorf("the next session has the taint %+v; want one: %v, from %v", got, c.want, began)
			}
		})
	}
}

// openMaxSessions begins the maximum number of sessions.
func openMaxSessions(v *wiretest.Client) {
	time.Sleep(time.Second)
	for range MaxSessions {
		v.BeginSession()
	}
}

// A stream that a client has lost may look open for long. It must not consume the
// notifications for the stream that the client now listens to.
func TestNewStreamGetsAllNotificationsOfSession(t *testing.T) {
	changed := func(t *testing.T, v *wiretest.Client, toy *toyHandler) {
		if !toy.notifyClient(v.Session, "notifications/tools/list_changed") {
			t.Fatal("there is no room")
		}
		synctest.Wait()
	}
	runWithClient(t, "and what it had before has ended", func(t *testing.T, v *wiretest.Client, toy *toyHandler) {
		v = v.BeginSession()
		lost := v.Send(http.MethodGet, "")
		latest := v.Send(http.MethodGet, "")
		if !lost.Complete() || latest.Complete() {
			t.Fatalf("over: %v, %v; want the first alone", lost.Complete(), latest.Complete())
		}
		for range 10 {
			changed(t, v, toy)
		}
		if got := latest.Events(t); len(got) != 10 {
			t.Errorf("it got %d notifications, want 10", len(got))
		}
		latest.Disconnect()
		v.Send(http.MethodDelete, "").Expect(t, 204, "")
	})
	runWithClient(t, "with what could not be written", func(t *testing.T, v *wiretest.Client, toy *toyHandler) {
		v = v.BeginSession()
		ctx, leave := context.WithCancel(admit(t.Context(), v.Principal))
		defer leave()
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/mcp", nil)
		r.Header.Set("Mcp-Session-Id", v.Session)
		go endpoint(v).ServeHTTP(&failingStream{httptest.NewRecorder()}, r)
		synctest.Wait()
		changed(t, v, toy)
		latest := v.Send(http.MethodGet, "")
		if got := latest.Events(t); len(got) != 1 {
			t.Errorf("it got %v, want what the first did not take", got)
		}
		latest.Disconnect()
		v.Send(http.MethodDelete, "").Expect(t, 204, "")
	})
}

// A failingStream accepts the headers and the first heartbeat, but no event.
type failingStream struct{ *httptest.ResponseRecorder }

func (d *failingStream) Write(text []byte) (int, error) {
	if bytes.Contains(text, []byte("event:")) {
		return 0, io.ErrClosedPipe
	}
	return d.ResponseRecorder.Write(text)
}
