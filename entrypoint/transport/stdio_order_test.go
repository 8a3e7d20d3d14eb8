package transport

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kota/entrypoint/wiretest"
)

// ids returns the ids of the answers, in order.
func ids(lines []string) []string {
	var all []string
	for _, line := range lines {
		_, rest, _ := strings.Cut(line, `"id":`)
		id, _, _ := strings.Cut(rest, ",")
		all = append(all, id)
	}
	return all
}

func cancelled(id string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`+"\n", id)
}

func TestStdioOrder(t *testing.T) {
	const initialize = `{"jsonrpc":"2.0","id":"first","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`

	runStdio(t, "initialize is answered before what was sent after it", func(t *testing.T, w *wiretest.Wire, _ *toyHandler) {
		lines := []string{initialize}
		for i := range 40 {
			lines = append(lines, call(fmt.Sprint(i), "echo", "{}"), fmt.Sprintf(`{"jsonrpc":"2.0","id":"p%d","method":"ping"}`, i))
		}
		w.Send(strings.Join(lines, "\n") + "\n")
		got := ids(w.Received())
		if len(got) != 81 || got[0] != `"first"` {
			t.Errorf("got %d answers, first %v; want 81, initialize first", len(got), got[:1])
		}
	})
	runStdio(t, "reads do not wait for reads", func(t *testing.T, w *wiretest.Wire, _ *toyHandler) {
		w.Send(call("1", "wait", "{}") + "\n" + call("2", "echo", "{}") + "\n")
		if got := ids(w.Received()); !slices.Equal(got, []string{"2"}) {
			t.Errorf("answered %v while a read runs, want [2]", got)
		}
		w.Send(cancelled("1"))
	})
	runStdio(t, "a write waits for the reads before it", func(t *testing.T, w *wiretest.Wire, toy *toyHandler) {
		w.Send(call("1", "wait", "{}") + "\n" + call("2", "put", `{"text":"x"}`) + "\n")
		time.Sleep(maxBlocking - time.Second)
		if got := w.Received(); got != nil || toy.store != "" {
			t.Errorf("the write ran before the read was answered: %v", got)
		}
		w.Send(cancelled("1"))
		time.Sleep(time.Second / 2)
		if got := ids(w.Received()); !slices.Equal(got, []string{"2"}) {
			t.Errorf("answered %v after the read had gone, want [2]", got)
		}
	})
	runStdio(t, "a call that hangs keeps others waiting for 5 s, and never a ping", func(t *testing.T, w *wiretest.Wire, toy *toyHandler) {
		w.Send(call("1", "stubborn", "{}") + "\n" + call("2", "get", "{}") + "\n" + call("3", "put", "{}") + "\n" + ping + "\n")
		if got := w.Received(); !slices.Equal(got, []string{pong}) {
			t.Errorf("got %v, want only the ping's answer", got)
		}
		time.Sleep(maxBlocking)
		time.Sleep(time.Second)
		if got := ids(w.Received()); !slices.Equal(got, []string{"2", "3"}) {
			t.Errorf("answered %v after 6 s, want [2 3]", got)
		}
		close(toy.release)
		if got := ids(w.Received()); !slices.Equal(got, []string{"1"}) {
			t.Errorf("answered %v at last, want [1]", got)
		}
	})
	runStdio(t, "all progress notifications come before the answer", func(t *testing.T, w *wiretest.Wire, _ *toyHandler) {
		w.Send(initialize + "\n")
		w.Received()
		w.Send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"progress","_meta":{"progressToken":"t"}}}` + "\n")
		got := w.Received()
		if len(got) != 21 || !strings.Contains(got[20], `"done"`) {
			t.Errorf("got %d messages, want 20 notifications and then the answer", len(got))
		}
	})
	runStdio(t, "an id in use is refused, then free again", func(t *testing.T, w *wiretest.Wire, toy *toyHandler) {
		w.Send(call(`"a"`, "wait", "{}") + "\n" + call(`"\u0061"`, "echo", "{}") + "\n")
		got := w.Received()
		if len(got) != 1 || !failure(`"\u0061"`, -32600)(got[0]) {
			t.Fatalf("got %v, want a refusal", got)
		}
		w.Send(cancelled(`"a"`) + call(`"a"`, "echo", "{}") + "\n")
		if got := ids(w.Received()); !slices.Equal(got, []string{`"a"`}) {
			t.Errorf("answered %v, want the second call alone", got)
		}
	})
	runStdio(t, "more calls than may wait are read when there is room", func(t *testing.T, w *wiretest.Wire, toy *toyHandler) {
		var lines strings.Builder
		lines.WriteString(call("0", "stubborn", "{}") + "\n")
		for i := range maxPending + 50 {
			lines.WriteString(call(fmt.Sprint(i+1), "get", "{}") + "\n")
		}
		lines.WriteString(ping + "\n")
		go w.Send(lines.String())
		if got := w.Received(); got != nil {
			t.Errorf("%d answers, although the ping should not have been read yet", len(got))
		}
		close(toy.release)
		if got := w.Received(); len(got) != maxPending+52 {
			t.Errorf("%d answers to %d requests", len(got), maxPending+52)
		}
	})
}

func TestStdioCancels(t *testing.T) {
	runStdio(t, "a running call, which is not answered", func(t *testing.T, w *wiretest.Wire, _ *toyHandler) {
		w.Send(call("1", "wait", "{}") + "\n" + cancelled("1") + ping + "\n")
		if got := w.Received(); !slices.Equal(got, []string{pong}) {
			t.Errorf("got %v, want only the ping's answer", got)
		}
		start := time.Now()
		w.End()
		if waited := time.Since(start); waited != 0 {
			t.Errorf("the call went on for %v after it was cancelled", waited)
		}
	})
	runStdio(t, "a call that waits, which never begins", func(t *testing.T, w *wiretest.Wire, toy *toyHandler) {
		w.Send(call("1", "stubborn", "{}") + "\n" + call("2", "put", `{"text":"x"}`) + "\n" + cancelled("2"))
		w.Received()
		close(toy.release)
		time.Sleep(time.Second)
		if got := ids(w.Received()); !slices.Equal(got, []string{"1"}) || toy.store != "" {
			t.Errorf("answered %v and stored %q, want [1] and nothing", got, toy.store)
		}
	})
	runStdio(t, "the string id and not the number", func(t *testing.T, w *wiretest.Wire, _ *toyHandler) {
		w.Send(call("1", "wait", "{}") + "\n" + call(`"1"`, "wait", "{}") + "\n" + cancelled(`"1"`))
		w.End()
		if got := ids(w.Received()); !slices.Equal(got, []string{"1"}) {
			t.Errorf("answered %v at the end, want [1]", got)
		}
	})
	runStdio(t, "an id beyond 2^53 and not its neighbour", func(t *testing.T, w *wiretest.Wire, _ *toyHandler) {
		w.Send(call("9007199254740992", "wait", "{}") + "\n" + call("9007199254740993", "wait", "{}") + "\n" + cancelled("9007199254740993"))
		w.End()
		if got := ids(w.Received()); !slices.Equal(got, []string{"9007199254740992"}) {
			t.Errorf("answered %v at the end, want [9007199254740992]", got)
		}
	})
}

// runStdio runs a test with a served toy handler inside a synctest bubble.
func runStdio(t *testing.T, name string, test func(*testing.T, *wiretest.Wire, *toyHandler)) {
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			toy := newToy()
			test(t, wiretest.Start(t, serving(toy)), toy)
		})
	})
}
