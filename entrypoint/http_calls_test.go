package entrypoint

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kota/entrypoint/wiretest"
)

func TestWhatIsCancelledIsNotAnswered(t *testing.T) {
	visit(t, "when a session's client says so", func(t *testing.T, v *visitor, _ *toyServer) {
		v = v.begin()
		waiting := v.legacy(1, "wait", "{}")
		v.begin().post(cancelled("1")).says(t, 202, "") // another's 1
		if waiting.over.Load() {
			t.Fatal("another session has ended it")
		}
		v.post(cancelled("1")).says(t, 202, "")
		synctest.Wait()
		if waiting.says(t, 202, ""); waiting.Body.Len() > 0 {
			t.Errorf("it is answered: %s", waiting.Body)
		}
		v.post(cancelled(`"none"`)).says(t, 202, "")
	})
	visit(t, "while it waits for another", func(t *testing.T, v *visitor, toy *toyServer) {
		v = v.begin()
		first := v.legacy(1, "stubborn", "{}")
		second := v.legacy(2, "put", `{"text":"x"}`)
		v.post(cancelled("2"))
		if second.says(t, 202, ""); second.Body.Len() > 0 {
			t.Errorf("it is answered: %s", second.Body)
		}
		close(toy.release)
		time.Sleep(time.Minute)
		if first.says(t, 200, "at last"); toy.store != "" {
			t.Errorf("it was done all the same: %q", toy.store)
		}
	})
	visit(t, "when a client of 2026-07-28 closes its connection", func(t *testing.T, v *visitor, toy *toyServer) {
		waiting := v.modern(1, "wait", "{}")
		v.post(strings.Replace(cancelled("1"), `"params":{`, `"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"},`, 1), "Mcp-Protocol-Version", "2026-07-28").says(t, 202, "")
		if waiting.over.Load() {
			t.Fatal("a notification, which may be anybody's, has ended it")
		}
		waiting.leave()
		synctest.Wait()
		if !waiting.over.Load() || waiting.Body.Len() > 0 {
			t.Errorf("over %v, answered %q", waiting.over.Load(), waiting.Body)
		}
		if c, _ := v.endpoint.withoutSession("ann"); c.owes() {
			t.Error("it still runs")
		}
	})
}

// A client up to 2025-11-25 that is gone has cancelled nothing (MCP 2025-11-25,
// transports).
func TestASessionGoesOnWhenItsClientIsGone(t *testing.T) {
	visit(t, "what it began is done, and its session is there", func(t *testing.T, v *visitor, toy *toyServer) {
		v = v.begin()
		first, second := v.legacy(1, "stubborn", "{}"), v.legacy(2, "put", `{"text":"x"}`)
		first.leave()
		second.leave()
		synctest.Wait()
		if !first.over.Load() || !second.over.Load() {
			t.Error("somebody still writes to a client that is gone")
		}
		third := v.legacy(3, "get", "{}")
		close(toy.release)
		time.Sleep(time.Minute)
		third.says(t, 200, `"x"`)
	})
}

func TestAUserIsAskedOnTheStreamOfTheCall(t *testing.T) {
	visit(t, "and answers by another request", func(t *testing.T, v *visitor, _ *toyServer) {
		v = v.begin()
		asking := v.legacy(1, "ask", "{}")
		events := asking.events(t)
		if len(events) != 1 || !strings.Contains(events[0], "elicitation/create") || !strings.Contains(events[0], `"id":1`) {
			t.Fatalf("got %v, want the question", events)
		}
		v.begin().post(`{"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}`).says(t, 202, "") // of another session
		if asking.over.Load() {
			t.Fatal("another session has answered it")
		}
		meanwhile := v.legacy(2, "put", `{"text":"x"}`)
		time.Sleep(time.Minute)
		meanwhile.says(t, 200, "stored") // a question keeps nobody waiting
		v.post(`{"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}`).says(t, 202, "")
		synctest.Wait()
		events = asking.events(t)
		if len(events) != 2 || !strings.Contains(events[1], "accept") {
			t.Errorf("got %v, want what the user said", events)
		}
	})
	visit(t, "but not one who is gone", func(t *testing.T, v *visitor, toy *toyServer) {
		v = v.begin()
		first := v.legacy(1, "stubborn", "{}")
		asking := v.legacy(2, "ask", "{}")
		asking.leave()
		synctest.Wait()
		close(toy.release)
		synctest.Wait()
		first.says(t, 200, "at last")
		v.legacy(3, "put", `{"text":"x"}`)
		time.Sleep(time.Minute)
		v.legacy(4, "get", "{}").says(t, 200, `"x"`)
	})
	visit(t, "and is told when it is withdrawn", func(t *testing.T, v *visitor, _ *toyServer) {
		v = v.begin()
		asking := v.legacy(1, "ask", "{}")
		v.post(cancelled("1"))
		synctest.Wait()
		if got := asking.events(t); len(got) > 2 || len(got) == 2 && !strings.Contains(got[1], "notifications/cancelled") {
			t.Errorf("got %v, want no answer", got)
		}
	})
}

func TestAnEndpointEndsAsAServerDoesAtASignal(t *testing.T) {
	visit(t, "with an answer to everything within five seconds", func(t *testing.T, v *visitor, toy *toyServer) {
		v = v.begin()
		listening := v.send(http.MethodGet, "")
		stubborn, behind, minds := v.legacy(1, "stubborn", "{}"), v.legacy(2, "put", "{}"), v.modern(3, "wait", "{}")
		start := time.Now()
		go v.endpoint.Drain()
		synctest.Wait()
		v.legacy(4, "echo", "{}").says(t, 404, "")
		v.modern(5, "echo", "{}").says(t, 503, notBegun)
		v.post(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`).says(t, 503, "")
		time.Sleep(5 * time.Second)
		synctest.Wait()
		stubborn.says(t, 200, unfinished)
		behind.says(t, 200, notBegun)
		minds.says(t, 200, "context canceled")
		if !listening.over.Load() || time.Since(start) > 6*time.Second {
			t.Errorf("who listens: over %v", listening.over.Load())
		}
		close(toy.release)
	})
}

// Who dribbles a body, or reads no answer, is let go.
func TestABodyThatDoesNotArriveIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		toy := newToyServer()
		l := wiretest.Listen()
		server := &http.Server{Handler: newEndpoint(t.Context(), toy.host(), quiet)}
		go server.Serve(l)
		client, start := l.Dial(), time.Now()
		go func() {
			_, err := io.WriteString(client, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{")
			for err == nil {
				time.Sleep(time.Second)
				_, err = io.WriteString(client, " ")
			}
		}()
		answer, err := http.ReadResponse(bufio.NewReader(client), nil)
		if err != nil || answer.StatusCode != http.StatusRequestTimeout {
			t.Errorf("got %v, %v; want 408", answer, err)
		}
		if took := time.Since(start); took > bodyTime {
			t.Errorf("it was waited for %v", took)
		}
		client.Close()
		server.Close()
		time.Sleep(time.Minute) // until the last of them has seen it
	})
}
