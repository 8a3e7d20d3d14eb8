package transport

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// fill returns an input of that many equal bytes.
func fill(with byte, size int64) io.Reader {
	return io.LimitReader(&filler{chunk: bytes.Repeat([]byte{with}, 1<<16)}, size)
}

type filler struct{ chunk []byte }

func (f *filler) Read(p []byte) (int, error) { return copy(p, f.chunk), nil }

// serveAll returns the lines with which a toy handler answers the whole input.
func serveAll(t testing.TB, in io.Reader) []string {
	t.Helper()
	var out bytes.Buffer
	if err := ServeStdio(t.Context(), newToy(), in, &out, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	return strings.SplitAfter(strings.TrimSuffix(out.String(), "\n"), "\n")
}

func TestStdioHugeLines(t *testing.T) {
	line := func(size int64, before string, with byte, after string) io.Reader {
		return io.MultiReader(strings.NewReader(before), fill(with, size), strings.NewReader(after+"\n"+ping))
	}
	const huge, large = 400_000_000, MaxMessage + 1
	const head = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"text":"`
	cases := []struct {
		name string
		in   io.Reader
		id   string
		code int
	}{
		{"400 MB of garbage", line(huge, "", 'x', ""), "null", -32700},
		{"a request of 400 MB", line(huge, head, 'x', `"}}}`), "7", -32600},
		{"a request of 4 MiB with two ids", line(large, head, 'x', `"}},"id":8}`), "null", -32600},
		{"4 MiB of brackets", line(large, "", '[', ""), "null", -32700},
		{"4 MiB of an id", line(large, `{"jsonrpc":"2.0","method":"ping","id":1`, '0', "}"), "null", -32600},
		{"4 MiB of a key", line(large, `{"jsonrpc":"2.0","method":"ping","id":"a","`, 'k', `":1}`), `"a"`, -32600},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got := serveAll(t, test.in)
			runtime.ReadMemStats(&after)

			if len(got) != 2 || !failure(test.id, test.code)(got[0]) || got[1] != pong {
				t.Errorf("got %.300q, want error %d for id %s and the ping's answer", got, test.code, test.id)
			}
			// The total of all allocations is an upper bound for the memory in use.
			if used := after.TotalAlloc - before.TotalAlloc; used > 8*MaxMessage {
				t.Errorf("allocated %d MB, want at most %d MB", used>>20, 8*MaxMessage>>20)
			}
		})
	}
	t.Run("4 MiB of white space are nothing", func(t *testing.T) {
		if got := serveAll(t, line(large, "", ' ', "")); !slices.Equal(got, []string{pong}) {
			t.Errorf("got %.300q, want the ping's answer", got)
		}
	})
	t.Run("a value of 3 MB is served", func(t *testing.T) {
		text := strings.Repeat("x", 3_000_000)
		c := serve(t, newToy())
		go c.send(head + text + "\"}}}\r")
		if got := c.receive(); !strings.Contains(got, text) {
			t.Errorf("got %.300s", got)
		}
		c.end()
	})
}

// scanPieces scans a line in pieces of that size.
func scanPieces(line []byte, size int) *messageScan {
	s := &messageScan{}
	for piece := range slices.Chunk(line, size) {
		s.feed(piece)
	}
	s.feed([]byte{'\n'})
	return s
}

func FuzzStdioScan(f *testing.F) {
	for _, seed := range []string{
		``, ` `, `{}`, `[]`, `{"a":[1,-0.5e+3,true,false,null,"x\u00e9\n"]}`, `01`, `1.`, `-`, `1e`, `nul`, `"`, `{"a"}`, `{,}`, `[1,]`, `{"a":1,}`, `[}`, `]`,
		"\"\xc3\xa9\"", "\"\xc3\"", "\"\xf4\x90\x80\x80\"", "\"\xed\xa0\x80\"", "\"\x7f\"", "\"\t\"", "{\"id\":1}\x00", `{"a":"\ud800"}`,
		`{"jsonrpc":"2.0","id":9007199254740993,"method":"tools\/call","params":{"name":"echo","x":{"name":1}}}`,
		`{"jsonrpc":"2.0","id":"\u0041","result":{}}`, `{"jsonrpc":"2.0","method":"m","params":[{"name":"echo"}]}`,
	} {
		f.Add([]byte(seed), uint8(1))
	}
	f.Fuzz(func(t *testing.T, line []byte, size uint8) {
		s := scanPieces(line, int(size)+1)
		if s.tooDeep {
			return
		}
		want := json.Valid(line) && utf8.Valid(line)
		if s.complete() != want {
			t.Fatalf("complete is %v for %q, want %v", s.complete(), line, want)
		}
		e := s.envelope(false)
		if e.kind != isRequest && e.kind != isNotification {
			return
		}
		var m struct {
			ID     json.RawMessage            `json:"id"`
			Method string                     `json:"method"`
			Params map[string]json.RawMessage `json:"params"`
		}
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatalf("taken for a message, but %v: %q", err, line)
		}
		if e.method != m.Method || !bytes.Equal(e.id, m.ID) {
			t.Errorf("read method %q, id %s; encoding/json reads %q, %s", e.method, e.id, m.Method, m.ID)
		}
		if e.id != nil && !bytes.Equal(line[e.idAt:e.idAt+len(e.id)], m.ID) {
			t.Errorf("the id is not at %d in %q", e.idAt, line)
		}
		if e.tool != "" && e.tool != unquote(m.Params["name"]) {
			t.Errorf("read tool %q, encoding/json reads %s", e.tool, m.Params["name"])
		}
	})
}

func FuzzStdioLine(f *testing.F) {
	for _, seed := range []string{
		``, `{`, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"fuzz"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`, `{"jsonrpc":"2.0","id":1,"error":{}}`, `{"jsonrpc":"2.0","id":1e9999,"method":"subscriptions/listen"}`,
		call("1", "echo", `{"text":5}`), call(`"x"`, "fail", "null"), `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
	} {
		f.Add([]byte(seed))
	}
	const last = `{"jsonrpc":"2.0","id":"fuzz ends","method":"ping"}`
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.ContainsRune(line, '\n') || bytes.Contains(line, []byte("fuzz ends")) ||
			bytes.Contains(line, []byte("wait")) || bytes.Contains(line, []byte("stubborn")) {
			return // one line only, a unique id, and a tool that ends
		}
		got := serveAll(t, io.MultiReader(bytes.NewReader(line), strings.NewReader("\n"+last+"\n")))
		pongs := 0
		for _, answer := range got {
			if !json.Valid([]byte(answer)) {
				t.Errorf("answered %q, which is not JSON", answer)
			}
			if strings.Contains(answer, `"fuzz ends"`) {
				pongs++
			}
		}
		if pongs != 1 || len(got) > 2 {
			t.Errorf("%q and a ping were answered with %q", line, got)
		}
	})
}

func TestIsInteger(t *testing.T) {
	for number, want := range map[string]bool{
		"0": true, "-0": true, "1.0": true, "1e400": true, "1E+2": true, "1.5e1": true, "10e-1": true, "0e-9": true, "0.0": true,
		"100e-2": true, "1.20e1": true, "1e99999999999999999999": true, "0e-99999999999999999999": true,
		"1.5": false, "1e-1": false, "15e-1": false, "0.1": false, "1.25e1": false, "1e-9223372036854775808": false, "1e-99999999999999999999": false,
	} {
		if got := isInteger([]byte(number)); got != want {
			t.Errorf("isInteger(%s) is %v", number, got)
		}
	}
}
