package transport

import (
	"context"
	"encoding/json"
	"fmt"
	"kota/entrypoint/wiretest"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// runWithClient runs a test with a client of a toy handler.
func runWithClient(t *testing.T, name string, test func(*testing.T, *wiretest.Client, *toyHandler)) {
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			toy := newToy()
			test(t, newTestClient(t, NewEndpoint(t.Context(), toy, quiet)), toy)
		})
	})
}

func newTestClient(t *testing.T, e *Endpoint) *wiretest.Client {
	return &wiretest.Client{T: t, Endpoint: e, Principal: "ann", Admit: admit}
}

func admit(ctx context.Context, who string) context.Context {
	return Principal{Name: who}.NewContext(ctx)
}

// endpoint returns the visitor's endpoint.
func endpoint(v *wiretest.Client) *Endpoint { return v.Endpoint.(*Endpoint) }

func TestLastNotificationIsNotLost(t *testing.T) {
	for era, call := range map[string]func(*wiretest.Client, int) *wiretest.Response{
		"2025-11-25": func(v *wiretest.Client, id int) *wiretest.Response { return v.CallLegacy(id, "progress", "{}") },
		"2026-07-28": func(v *wiretest.Client, id int) *wiretest.Response { return v.CallModern(id, "progress", "{}") },
	} {
		runWithClient(t, era, func(t *testing.T, v *wiretest.Client, _ *toyHandler) {
			v = v.BeginSession()
			for id := range 50 {
				events := call(v, id).Events(t)
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

func TestCallGetsOnlyItsOwnNotifications(t *testing.T) {
	runWithClient(t, "in one session, on its streams", func(t *testing.T, v *wiretest.Client, toy *toyHandler) {
		v = v.BeginSession()
		listening := v.Send(http.MethodGet, "")
		waiting := v.CallLegacy(1, "stubborn", "{}")
		going := v.CallModern(2, "progress", "{}")
		if got := len(going.Events(t)); got != 21 {
			t.Errorf("the call has %d events, want its own 21", got)
		}
		if !toy.notifyClient(v.Session, "notifications/tools/list_changed") {
			t.Fatal("there is no room")
		}
		synctest.Wait()
		if got := listening.Events(t); len(got) != 1 || !strings.Contains(got[0], "list_changed") {
			t.Errorf("who listens got %v, want what belongs to no call", got)
		}
		close(toy.release)
		synctest.Wait()
		waiting.Expect(t, 200, "at last")
		if got := waiting.Header().Get("Content-Type"); got != "application/json" {
			t.Errorf("a call without notifications is answered as %s", got)
		}
		listening.Disconnect()
		v.Send(http.MethodDelete, "").Expect(t, 204, "")
	})
	runWithClient(t, "without one, whoever else calls at the time", func(t *testing.T, v *wiretest.Client, toy *toyHandler) {
		bob := *v
		bob.Principal = "bob"
		var going []*wiretest.Response
		for id := range 20 {
			who := []*wiretest.Client{v, &bob}[id%2]
			going = append(going, who.CallModern(id, "progress", `{"late":true}`))
		}
		close(toy.release)
		synctest.Wait()
		for id, call := range going {
			events := call.Events(t)
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

func TestCallsOfSessionKeepOrder(t *testing.T) {
	runWithClient(t, "a read waits for the write before it", func(t *testing.T, v *wiretest.Client, toy *toyHandler) {
		v = v.BeginSession()
		first := v.CallLegacy(1, "stubborn", "{}")
		second := v.CallLegacy(2, "put", `{"text":"x"}`)
		third := v.CallLegacy(3, "get", "{}")
		fourth := v.Post(`{"jsonrpc":"2.0","id":4,"method":"ping"}`)
		if first.Complete() || second.Complete() || third.Complete() || !fourth.Complete() {
			t.Errorf("over: %v %v %v %v; want ping alone", first.Complete(), second.Complete(), third.Complete(), fourth.Complete())
		}
		close(toy.release)
		time.Sleep(time.Minute) // of the bubble: put takes a moment
		first.Expect(t, 200, "at last")
		second.Expect(t, 200, "stored")
		third.Expect(t, 200, `"x"`)
	})
}

func TestIDsAreReturnedUnchanged(t *testing.T) {
	runWithClient(t, "in a session and without", func(t *testing.T, v *wiretest.Client, toy *toyHandler) {
		v = v.BeginSession()
		for _, id := range []string{"9007199254740993", `"7"`, "-0", `"\u00e9"`, "12345678901234567890123"} {
			got := v.Post(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)
			got.Expect(t, 200, `"id":`+id+`,`)
		}
		defer close(toy.release)
		waiting := v.CallLegacy(5, "stubborn", "{}")
		v.CallLegacy(5, "echo", "{}").Expect(t, 400, "still being served")
		v.BeginSession().Post(`{"jsonrpc":"2.0","id":5,"method":"ping"}`).Expect(t, 200, `"id":5`)
		one, other := v.CallModern(5, "wait", "{}"), v.CallModern(5, "wait", "{}") // from two clients, as far as the server can know
		if one.Complete() || other.Complete() || waiting.Complete() {
			t.Error("what has the same id from elsewhere was answered")
		}
		one.Disconnect()
		other.Disconnect()
		synctest.Wait()
	})
}

func TestMessagesMayHaveSeveralLines(t *testing.T) {
	runWithClient(t, "on many lines too", func(t *testing.T, v *wiretest.Client, _ *toyHandler) {
		v = v.BeginSession()
		var pretty strings.Builder
		encoder := json.NewEncoder(&pretty)
		encoder.SetIndent("\t", "  ")
		if err := encoder.Encode(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "ping"}); err != nil {
			t.Fatal(err)
		}
		v.Post(strings.ReplaceAll(pretty.String(), "\n", "\r\n")).Expect(t, 200, `"result"`)
	})
}
