package transport

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

func TestCancelledCallsGetNoAnswer(t *testing.T) {
	runWithClient(t, "when a session's client says so", func(t *testing.T, v *wiretest.Client, _ *toyHandler) {
		v = v.BeginSession()
		waiting := v.CallLegacy(1, "wait", "{}")
		v.BeginSession().Post(cancelled("1")).Expect(t, 202, "") // the id 1 of another session
		if waiting.Complete() {
			t.Fatal("another session has ended it")
		}
		v.Post(cancelled("1")).Expect(t, 202, "")
		synctest.Wait()
		if waiting.Expect(t, 202, ""); waiting.Body.Len() > 0 {
			t.Errorf("it is answered: %s", waiting.Body)
		}
		v.Post(cancelled(`"none"`)).Expect(t, 202, "")
	})
	runWithClient(t, "while it waits for another", func(t *testing.T, v *wiretest.Client, toy *toyHandler) {
		v = v.BeginSession()
		first := v.CallLegacy(1, "stubborn", "{}")
		second := v.CallLegacy(2, "put", `{"text":"x"}`)
		v.Post(cancelled("2"))
		if second.Expect(t, 202, ""); second.Body.Len() > 0 {
			t.Errorf("it is answered: %s", second.Body)
		}
		close(toy.release)
		time.Sleep(time.Minute)
		if first.Expect(t, 200, "at last"); toy.store != "" {
			t.Errorf("it was done all the same: %q", toy.store)
		}
	})
	runWithClient(t, "when a client of 2026-07-28 closes its connection", func(t *testing.T, v *wiretest.Client, toy *toyHandler) {
		waiting := v.CallModern(1, "wait", "{}")
		v.Post(strings.Replace(cancelled("1"), `"params":{`, `"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"},`, 1), "Mcp-Protocol-Version", "2026-07-28").Expect(t, 202, "")
		if waiting.Complete() {
			t.Fatal("a notification, which may be anybody's, has ended it")
		}
		waiting.Disconnect()
		synctest.Wait()
		if !waiting.Complete() || waiting.Body.Len() > 0 {
			t.Errorf("over %v, answered %q", waiting.Complete(), waiting.Body)
		}
		if c, _ := endpoint(v).statelessConn("ann"); c.hasPending() {
			t.Error("it still runs")
		}
	})
}

// A client up to 2025-11-25 that disconnects has cancelled nothing (MCP 2025-11-25,
// transports).
func TestSessionContinuesWithoutClient(t *testing.T) {
	runWithClient(t, "what it began is done, and its session is there", func(t *testing.T, v *wiretest.Client, toy *toyHandler) {
		v = v.BeginSession()
		first, second := v.CallLegacy(1, "stubborn", "{}"), v.CallLegacy(2, "put", `{"text":"x"}`)
		first.Disconnect()
		second.Disconnect()
		synctest.Wait()
		if !first.Complete() || !second.Complete() {
			t.Error("somebody still writes to a client that is gone")
		}
		third := v.CallLegacy(3, "get", "{}")
		close(toy.release)
		time.Sleep(time.Minute)
		third.Expect(t, 200, `"x"`)
	})
}

func TestUserIsAskedOnStreamOfCall(t *testing.T) {
	runWithClient(t, "and answers by another request", func(t *testing.T, v *wiretest.Client, _ *toyHandler) {
		v = v.BeginSession()
		asking := v.CallLegacy(1, "ask", "{}")
		events := asking.Events(t)
		if len(events) != 1 || !strings.Contains(events[0], "elicitation/create") || !strings.Contains(events[0], `"id":1`) {
			t.Fatalf("got %v, want the question", events)
		}
		v.BeginSession().Post(`{"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}`).Expect(t, 202, "") // from another session
		if asking.Complete() {
			t.Fatal("another session has answered it")
		}
		meanwhile := v.CallLegacy(2, "put", `{"text":"x"}`)
		time.Sleep(time.Minute)
		meanwhile.Expect(t, 200, "stored") // no call waits for a question
		v.Post(`{"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}`).Expect(t, 202, "")
		synctest.Wait()
		events = asking.Events(t)
		if len(events) != 2 || !strings.Contains(events[1], "accept") {
			t.Errorf("got %v, want what the user said", events)
		}
	})
	runWithClient(t, "but not one who is gone", func(t *testing.T, v *wiretest.Client, toy *toyHandler) {
		v = v.BeginSession()
		first := v.CallLegacy(1, "stubborn", "{}")
		asking := v.CallLegacy(2, "ask", "{}")
		asking.Disconnect()
		synctest.Wait()
		close(toy.release)
		synctest.Wait()
		first.Expect(t, 200, "at last")
		v.CallLegacy(3, "put", `{"text":"x"}`)
		time.Sleep(time.Minute)
		v.CallLegacy(4, "get", "{}").Expect(t, 200, `"x"`)
	})
	runWithClient(t, "and is notified when it is withdrawn", func(t *testing.T, v *wiretest.Client, _ *toyHandler) {
		v = v.BeginSession()
		asking := v.CallLegacy(1, "ask", "{}")
		v.Post(cancelled("1"))
		synctest.Wait()
		if got := asking.Events(t); len(got) > 2 || len(got) == 2 && !strings.Contains(got[1], "notifications/cancelled") {
			t.Errorf("got %v, want no answer", got)
		}
	})
}

func TestDrainAnswersEverythingInTime(t *testing.T) {
	runWithClient(t, "with an answer to everything within five seconds", func(t *testing.T, v *wiretest.Client, toy *toyHandler) {
		v = v.BeginSession()
		listening := v.Send(http.MethodGet, "")
		stubborn, behind, minds := v.CallLegacy(1, "stubborn", "{}"), v.CallLegacy(2, "put", "{}"), v.CallModern(3, "wait", "{}")
		start := time.Now()
		go endpoint(v).Drain(EndGrace)
		synctest.Wait()
		v.CallLegacy(4, "echo", "{}").Expect(t, 404, "")
		v.CallModern(5, "echo", "{}").Expect(t, 503, notBegun)
		v.Post(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`).Expect(t, 503, "")
		time.Sleep(5 * time.Second)
		synctest.Wait()
		stubborn.Expect(t, 200, unfinished)
		behind.Expect(t, 200, notBegun)
		minds.Expect(t, 200, "context canceled")
		if !listening.Complete() || time.Since(start) > 6*time.Second {
			t.Errorf("who listens: over %v", listening.Complete())
		}
		close(toy.release)
	})
}

// The server closes a connection whose body arrives too slowly, or whose client reads no answer.
func TestSlowBodyTimesOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		toy := newToy()
		l := wiretest.Listen()
		server := &http.Server{Handler: NewEndpoint(t.Context(), toy, quiet)}
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
		if took := time.Since(start); took > bodyTimeout {
			t.Errorf("it was waited for %v", took)
		}
		client.Close()
		server.Close()
		time.Sleep(time.Minute) // until the last of them has noticed
	})
}
