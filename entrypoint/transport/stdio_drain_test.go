package transport

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"kota/entrypoint/wiretest"
)

func TestStdioEnd(t *testing.T) {
	runStdio(t, "a last line without newline is answered", func(t *testing.T, w *wiretest.Wire, _ *toyHandler) {
		w.Send(ping)
		w.End()
		if got := w.Received(); !slices.Equal(got, []string{pong}) {
			t.Errorf("got %v, want %s", got, pong)
		}
	})
	runStdio(t, "a last line that is half a message is answered", func(t *testing.T, w *wiretest.Wire, _ *toyHandler) {
		w.Send(ping[:20])
		w.End()
		if got := w.Received(); len(got) != 1 || !failure("null", -32700)(got[0]) {
			t.Errorf("got %v, want a parse error", got)
		}
	})
	runStdio(t, "calls in flight and in line finish", func(t *testing.T, w *wiretest.Wire, toy *toyHandler) {
		w.Send(call("1", "stubborn", "{}") + "\n" + call("2", "put", `{"text":"x"}`) + "\n" + call("3", "get", "{}") + "\n")
		w.CloseInput()
		time.Sleep(EndGrace - time.Second)
		close(toy.release)
		w.End()
		got := w.Received()
		if !slices.Equal(ids(got), []string{"1", "2", "3"}) || !strings.Contains(got[2], `"x"`) {
			t.Errorf("got %v, want three results in order", got)
		}
	})
	runStdio(t, "a handler that ignores its context does not keep it from ending within 5 s", func(t *testing.T, w *wiretest.Wire, toy *toyHandler) {
		defer close(toy.release)
		w.Send(call("1", "stubborn", "{}") + "\n" + call("2", "put", "{}") + "\n" + call(`"3"`, "get", "{}") + "\n")
		start := time.Now()
		w.End()
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("ended after %v", took)
		}
		answers := w.Received()
		slices.Sort(answers)
		if len(answers) != 3 {
			t.Fatalf("%d answers to 3 calls: %v", len(answers), answers)
		}
		for _, line := range answers {
			reason := notBegun
			if strings.Contains(line, `"id":1,`) {
				reason = unfinished
			}
			if !strings.Contains(line, `-32603`) || !strings.Contains(line, reason) {
				t.Errorf("got %s, want error -32603: %s", line, reason)
			}
		}
	})
	runStdio(t, "a handler that minds its context answers itself", func(t *testing.T, w *wiretest.Wire, _ *toyHandler) {
		w.Send(call("1", "wait", "{}") + "\n")
		w.End()
		if got := w.Received(); len(got) != 1 || !strings.Contains(got[0], context.Canceled.Error()) {
			t.Errorf("got %v, want the handler's own error", got)
		}
	})
	runStdio(t, "a subscription ends with the input, and is answered", func(t *testing.T, w *wiretest.Wire, _ *toyHandler) {
		w.Send(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` +
			`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}` + "\n")
		if got := w.Received(); len(got) != 1 || !strings.Contains(got[0], "notifications/subscriptions/acknowledged") {
			t.Fatalf("got %v, want the acknowledgement", got)
		}
		start := time.Now()
		w.End()
		if got := w.Received(); time.Since(start) != 0 || !slices.Equal(ids(got), []string{"1"}) {
			t.Errorf("got %v after %v, want the answer at once", got, time.Since(start))
		}
	})
	runStdio(t, "a cancelled context ends it within 2 s, with answers", func(t *testing.T, w *wiretest.Wire, toy *toyHandler) {
		defer close(toy.release)
		w.Send(call("1", "stubborn", "{}") + "\n" + ping + "\n")
		w.Received()
		start := time.Now()
		w.Cancel()
		if err := <-w.Done; err != nil {
			t.Errorf("ServeStdio: %v", err)
		}
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("ended after %v", took)
		}
		if got := w.Received(); len(got) != 1 || !failure("1", -32603)(got[0]) {
			t.Errorf("got %v, want the call reported", got)
		}
	})
	runStdio(t, "a signal while the input has ended hurries it", func(t *testing.T, w *wiretest.Wire, toy *toyHandler) {
		defer close(toy.release)
		w.Send(call("1", "stubborn", "{}") + "\n")
		w.CloseInput()
		synctest.Wait()
		start := time.Now()
		w.Cancel()
		w.End()
		if took := time.Since(start); took > time.Second {
			t.Errorf("ended after %v", took)
		}
	})
	runStdio(t, "an idle client that is stopped leaves at once", func(t *testing.T, w *wiretest.Wire, _ *toyHandler) {
		start := time.Now()
		w.Cancel()
		if err := <-w.Done; err != nil || time.Since(start) != 0 {
			t.Errorf("ended after %v with %v", time.Since(start), err)
		}
	})
}

// A slowWriter takes a second for each line.
type slowWriter struct{ bytes.Buffer }

func (w *slowWriter) Write(p []byte) (int, error) {
	time.Sleep(time.Second)
	return w.Buffer.Write(p)
}

func TestStdioWithoutReader(t *testing.T) {
	quiet := slog.New(slog.DiscardHandler)
	lines := call("1", "echo", "{}") + "\n" + ping + "\ngarbage\n" + call("2", "stubborn", "{}") + "\n"

	t.Run("a client that never reads is left within 5 s", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			toy := newToy()
			outR, outW := io.Pipe()
			start := time.Now()
			err := ServeStdio(t.Context(), toy, strings.NewReader(lines), outW, quiet)
			if took := time.Since(start); err != nil || took > 5*time.Second {
				t.Errorf("ended after %v with %v", took, err)
			}
			outR.Close()
			close(toy.release)
		})
	})
	t.Run("one that is refused line after line as well", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			outR, outW := io.Pipe()
			start := time.Now()
			err := ServeStdio(t.Context(), newToy(), strings.NewReader(strings.Repeat("garbage\n", maxRefusals)), outW, quiet)
			if took := time.Since(start); err != nil || took > 5*time.Second {
				t.Errorf("ended after %v with %v", took, err)
			}
			outR.Close()
		})
	})
	t.Run("refusals are written in their order", func(t *testing.T) {
		var out bytes.Buffer
		lines := strings.Repeat("garbage\n[]\n", 50)
		if err := ServeStdio(t.Context(), newToy(), strings.NewReader(lines), &out, quiet); err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
			if want := []int{-32700, -32600}[i%2]; !failure("null", want)(line) {
				t.Fatalf("answer %d is %s, want error %d", i, line, want)
			}
		}
	})
	t.Run("a client that reads slowly gets the last refusal", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var out slowWriter
			err := ServeStdio(t.Context(), newToy(), strings.NewReader("garbage"), &out, quiet)
			if err != nil || !failure("null", -32700)(out.String()) {
				t.Errorf("got %q with %v, want a parse error", out.String(), err)
			}
		})
	})
	t.Run("a client that is gone is an error, at once", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			toy := newToy()
			inR, inW := io.Pipe() // stays open: only the output is broken
			outR, outW := io.Pipe()
			outR.Close()
			go io.WriteString(inW, lines)
			start := time.Now()
			err := ServeStdio(t.Context(), toy, inR, outW, quiet)
			if took := time.Since(start); !errors.Is(err, io.ErrClosedPipe) || took > 2*time.Second {
				t.Errorf("ended after %v with %v, want %v", took, err, io.ErrClosedPipe)
			}
			inW.Close()
			close(toy.release)
		})
	})
	t.Run("an input that breaks ends it like one that ends", func(t *testing.T) {
		var out bytes.Buffer
		in := io.MultiReader(strings.NewReader(ping+"\n"), iotest.ErrReader(errors.New("broken")))
		if err := ServeStdio(t.Context(), newToy(), in, &out, quiet); err != nil {
			t.Error(err)
		}
		if got := out.String(); got != pong+"\n" {
			t.Errorf("got %q, want %q", got, pong)
		}
	})
	t.Run("a server is served again after it ended, but not twice at once", func(t *testing.T) {
		toy := newToy()
		first := serve(t, toy)
		first.send(ping)
		first.receive()
		if err := ServeStdio(t.Context(), toy, strings.NewReader(""), io.Discard, quiet); err == nil {
			t.Error("served twice at once")
		}
		first.end()
		if err := ServeStdio(t.Context(), toy, strings.NewReader(""), io.Discard, quiet); err != nil {
			t.Errorf("the second client: %v", err)
		}
	})
}
