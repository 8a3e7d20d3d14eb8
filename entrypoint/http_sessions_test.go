package entrypoint

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// A client that never says that it has no more use for a session costs no more
// than a thousand of them.
func TestTenThousandSessionsAreBounded(t *testing.T) {
	visit(t, "the one unused for the longest gives way", func(t *testing.T, v *visitor, toy *toyServer) {
		used, unused := v.begin(), v.begin()
		busy := v.begin()
		defer close(toy.release)
		waiting := busy.legacy(1, "stubborn", "{}")
		before := heap()
		for i := range 10_000 {
			v.begin()
			if i%100 == 0 {
				time.Sleep(time.Second)
				used.legacy(i, "echo", "{}").says(t, 200, "result")
			}
		}
		if open := len(v.endpoint.sessions.open); open != maxSessions {
			t.Errorf("%d sessions are open, want %d", open, maxSessions)
		}
		if grown := heap() - before; grown > 40<<20 {
			t.Errorf("they take %d MB", grown>>20)
		}
		unused.legacy(1, "echo", "{}").says(t, 404, "initialize")
		used.legacy(1, "echo", "{}").says(t, 200, "result")
		busy.post(`{"jsonrpc":"2.0","id":2,"method":"ping"}`).says(t, 200, "result")
		if waiting.over.Load() {
			t.Errorf("what was under way was answered %d %s", waiting.Code, waiting.Body)
		}
	})
	visit(t, "where all are in use there is no other", func(t *testing.T, v *visitor, _ *toyServer) {
		var listening []*visitOf
		for range maxSessions {
			listening = append(listening, v.begin().send(http.MethodGet, ""))
		}
		refused := v.post(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`)
		refused.says(t, 503, "room")
		if refused.Header().Get("Retry-After") == "" || refused.Header().Get("Mcp-Session-Id") != "" {
			t.Errorf("it is answered with %v", refused.Header())
		}
		listening[0].leave()
		synctest.Wait()
		v.begin().legacy(1, "echo", "{}").says(t, 200, "result")
		for _, one := range listening {
			one.leave()
		}
	})
}

func heap() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

func TestASessionEnds(t *testing.T) {
	visit(t, "after a day in which nothing came", func(t *testing.T, v *visitor, _ *toyServer) {
		v = v.begin()
		time.Sleep(sessionIdle)
		v.legacy(1, "echo", "{}").says(t, 200, "result")
		time.Sleep(sessionIdle + time.Second)
		v.legacy(2, "echo", "{}").says(t, 404, "initialize")
		v.begin()
		if open := len(v.endpoint.sessions.open); open != 1 {
			t.Errorf("%d sessions are kept, want the new one", open)
		}
	})
	visit(t, "not while somebody listens", func(t *testing.T, v *visitor, _ *toyServer) {
		v = v.begin()
		listening := v.send(http.MethodGet, "")
		time.Sleep(3 * sessionIdle)
		v.legacy(1, "echo", "{}").says(t, 200, "result")
		if listening.over.Load() {
			t.Error("the stream has ended")
		}
		listening.leave()
	})
	visit(t, "when its client says so, with all that runs and listens", func(t *testing.T, v *visitor, _ *toyServer) {
		v = v.begin()
		listening, waiting := v.send(http.MethodGet, ""), v.legacy(1, "wait", "{}")
		if listening.over.Load() || waiting.over.Load() {
			t.Fatal("it is over before")
		}
		v.send(http.MethodDelete, "").says(t, 204, "")
		synctest.Wait()
		waiting.says(t, 200, "context canceled")
		if !listening.over.Load() {
			t.Error("the stream goes on")
		}
		v.legacy(2, "echo", "{}").says(t, 404, "initialize")
	})
	visit(t, "before it has begun, when initialize fails", func(t *testing.T, v *visitor, _ *toyServer) {
		failed := v.post(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":7}}`)
		failed.says(t, 200, `"error"`)
		if failed.Header().Get("Mcp-Session-Id") != "" || len(v.endpoint.sessions.open) != 0 {
			t.Errorf("a session is open: %v", failed.Header())
		}
	})
}

func TestASessionIsItsPrincipalsAlone(t *testing.T) {
	visit(t, "another's token does not open it", func(t *testing.T, v *visitor, _ *toyServer) {
		hers := v.begin()
		his := *hers
		his.who = "bob"
		his.legacy(1, "echo", "{}").says(t, 404, "initialize")
		his.send(http.MethodGet, "").says(t, 404, "initialize")
		his.send(http.MethodDelete, "").says(t, 404, "initialize")
		hers.legacy(1, "echo", "{}").says(t, 200, "result")
	})
}

// A session that is forgotten is none that has ended: what follows may be the
// same conversation.
func TestTextFromStrangersOutlastsASessionThatIsForgotten(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(*visitor)
		want bool
	}{
		"a day passes":         {func(*visitor) { time.Sleep(sessionIdle + time.Second) }, true},
		"its client ends it":   {func(v *visitor) { v.send(http.MethodDelete, "") }, false},
		"another is begun":     {func(*visitor) {}, false},
		"others take its room": {func(v *visitor) { v.crowd() }, true},
	} {
		visit(t, name, func(t *testing.T, v *visitor, _ *toyServer) {
			first := v.begin()
			began := time.Now().Add(-time.Hour)
			v.endpoint.sessions.open[first.session].session.Inherit(Taint{Tainted: true, Began: began})
			c.end(first)
			v.begin() // may be what the first is forgotten for
			next := v.begin()
			got := v.endpoint.sessions.open[next.session].session.Taint()
			if got.Tainted != c.want || c.want && !got.Began.Equal(began) {
				t.Errorf("the next session has the taint %+v; want one: %v, from %v", got, c.want, began)
			}
		})
	}
}

// crowd begins as many sessions as there may be.
func (v *visitor) crowd() {
	time.Sleep(time.Second)
	for range maxSessions {
		v.begin()
	}
}

// A stream that a client has lost may look open for long: it is not to take what
// is told from the one that it listens to now.
func TestWhoListensAnewIsToldAll(t *testing.T) {
	changed := func(t *testing.T, v *visitor, toy *toyServer) {
		if err := toy.SendNotificationToSpecificClient(v.session, "notifications/tools/list_changed", nil); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
	}
	visit(t, "and what it had before has ended", func(t *testing.T, v *visitor, toy *toyServer) {
		v = v.begin()
		lost := v.send(http.MethodGet, "")
		latest := v.send(http.MethodGet, "")
		if !lost.over.Load() || latest.over.Load() {
			t.Fatalf("over: %v, %v; want the first alone", lost.over.Load(), latest.over.Load())
		}
		for range 10 {
			changed(t, v, toy)
		}
		if got := latest.events(t); len(got) != 10 {
			t.Errorf("it was told %d times, want 10", len(got))
		}
		latest.leave()
		v.send(http.MethodDelete, "").says(t, 204, "")
	})
	visit(t, "with what could not be written", func(t *testing.T, v *visitor, toy *toyServer) {
		v = v.begin()
		ctx, leave := context.WithCancel(WithPrincipal(t.Context(), v.who))
		defer leave()
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/mcp", nil)
		r.Header.Set("Mcp-Session-Id", v.session)
		go v.endpoint.ServeHTTP(&deaf{httptest.NewRecorder()}, r)
		synctest.Wait()
		changed(t, v, toy)
		latest := v.send(http.MethodGet, "")
		if got := latest.events(t); len(got) != 1 {
			t.Errorf("it was told %v, want what the first did not take", got)
		}
		latest.leave()
		v.send(http.MethodDelete, "").says(t, 204, "")
	})
}

// A deaf connection takes the headers and the first sign of life, and no event.
type deaf struct{ *httptest.ResponseRecorder }

func (d *deaf) Write(text []byte) (int, error) {
	if bytes.Contains(text, []byte("event:")) {
		return 0, io.ErrClosedPipe
	}
	return d.ResponseRecorder.Write(text)
}
