package transport

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"
)

// A client writes lines to a served server and reads lines from it.
type client struct {
	t    testing.TB
	in   io.WriteCloser
	out  *bufio.Reader
	done chan error
}

// serve serves h over pipes of the operating system until the client ends its input.
func serve(t testing.TB, h Handler) *client {
	t.Helper()
	inR, inW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := &client{t: t, in: inW, out: bufio.NewReader(outR), done: make(chan error, 1)}
	go func() {
		c.done <- ServeStdio(context.Background(), h, inR, outW, slog.New(slog.DiscardHandler))
		outW.Close()
	}()
	t.Cleanup(func() { inW.Close(); outR.Close(); inR.Close() })
	return c
}

func (c *client) send(lines ...string) {
	c.t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(c.in, line+"\n"); err != nil {
			c.t.Fatal(err)
		}
	}
}

func (c *client) receive() string {
	c.t.Helper()
	line, err := c.out.ReadString('\n')
	if err != nil {
		c.t.Fatalf("read answer: %v (after %q)", err, line)
	}
	return strings.TrimSuffix(line, "\n")
}

// end ends the input and returns the remaining output.
func (c *client) end() []string {
	c.t.Helper()
	c.in.Close()
	rest, err := io.ReadAll(c.out)
	if err != nil {
		c.t.Fatal(err)
	}
	if err := <-c.done; err != nil {
		c.t.Fatalf("ServeStdio: %v", err)
	}
	if len(rest) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(rest), "\n"), "\n")
}

const ping = `{"jsonrpc":"2.0","id":"ping","method":"ping"}`
const pong = `{"jsonrpc":"2.0","id":"ping","result":{}}`

func call(id, tool, args string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, args)
}

func failure(id string, code int) func(string) bool {
	return func(line string) bool {
		var m struct {
			ID    json.RawMessage
			Error struct{ Code int }
		}
		return json.Unmarshal([]byte(line), &m) == nil && string(m.ID) == id && m.Error.Code == code
	}
}

func TestStdioAnswersBadLinesOnce(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	request := func(params string) string {
		return `{"jsonrpc":"2.0","id":7,"method":"ping","params":` + params + `}`
	}
	cases := []struct {
		name, line, id string
		code           int
	}{
		{"garbage", "hello", "null", parseError},
		{"half a message", `{"jsonrpc":"2.0","id":7,"method":"pi`, "null", parseError},
		{"two messages on a line", ping + ping, "null", parseError},
		{"a NUL", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"a\x00b\"}", "null", parseError},
		{"a NUL after the message", ping + "\x00", "null", parseError},
		{"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"a\xff\"}", "null", parseError},
		{"a surrogate in UTF-8", request("{\"a\":\"\xed\xa0\x80\"}"), "null", parseError},
		{"an overlong form", request("{\"a\":\"\xc0\xaf\"}"), "null", parseError},
		{"a byte order mark", "\ufeff" + ping, "null", parseError},
		{"deep nesting", request(`{"a":` + deep(100_000) + `}`), "7", invalidRequest},
		{"deep nesting alone", deep(100_000), "null", invalidRequest},
		{"deep nesting without end", strings.Repeat(`{"a":`, 1_000_000), "null", parseError},
		{"deep nesting, then a second id", `{"id":7,"a":` + deep(600) + `,"id":8}`, "null", invalidRequest},
		{"a batch", "[" + ping + "," + ping + "]", "null", invalidRequest},
		{"an empty batch", "[]", "null", invalidRequest},
		{"a string", `"ping"`, "null", invalidRequest},
		{"a number", `12`, "null", invalidRequest},
		{"null", `null`, "null", invalidRequest},
		{"an empty object", `{}`, "null", invalidRequest},
		{"two ids", `{"jsonrpc":"2.0","id":7,"id":8,"method":"ping"}`, "null", invalidRequest},
		{"two ids, one escaped", `{"jsonrpc":"2.0","id":7,"\u0069d":8,"method":"ping"}`, "null", invalidRequest},
		{"ID beside id", `{"jsonrpc":"2.0","id":7,"ID":8,"method":"ping"}`, "null", invalidRequest},
		{"ID alone", `{"jsonrpc":"2.0","ID":7,"method":"ping"}`, "null", invalidRequest},
		{"Method", `{"jsonrpc":"2.0","id":7,"Method":"ping"}`, "7", invalidRequest},
		{"Method beside method", `{"jsonrpc":"2.0","id":7,"method":"ping","Method":"tools/list"}`, "7", invalidRequest},
		{"paramſ, which folds to params", `{"jsonrpc":"2.0","id":7,"method":"ping","paramſ":{}}`, "7", invalidRequest},
		{"jsonrpc twice", `{"jsonrpc":"2.0","jsonrpc":"2.0","id":7,"method":"ping"}`, "7", invalidRequest},
		{"two methods", `{"jsonrpc":"2.0","id":7,"method":"ping","method":"ping"}`, "7", invalidRequest},
		{"two params", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{},"params":{}}`, "7", invalidRequest},
		{"no version", `{"id":7,"method":"ping"}`, "7", invalidRequest},
		{"another version", `{"jsonrpc":"1.0","id":7,"method":"ping"}`, "7", invalidRequest},
		{"a numeric version", `{"jsonrpc":2.0,"id":7,"method":"ping"}`, "7", invalidRequest},
		{"no method", `{"jsonrpc":"2.0","id":7}`, "7", invalidRequest},
		{"a numeric method", `{"jsonrpc":"2.0","id":7,"method":1}`, "7", invalidRequest},
		{"a numeric method and no id", `{"jsonrpc":"2.0","method":1,"params":"bar"}`, "null", invalidRequest},
		{"method and result", `{"jsonrpc":"2.0","id":7,"method":"ping","result":{}}`, "7", invalidRequest},
		{"string params", request(`"x"`), "7", invalidRequest},
		{"array params", request(`[1]`), "7", invalidRequest},
		{"null id", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, "null", invalidRequest},
		{"object id", `{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, "null", invalidRequest},
		{"array id", `{"jsonrpc":"2.0","id":[1],"method":"ping"}`, "null", invalidRequest},
		{"boolean id", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, "null", invalidRequest},
		{"fractional id", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, "null", invalidRequest},
		{"an id of 2 MB", `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 2<<20) + `","method":"ping"}`, "null", invalidRequest},
		{"unknown method", `{"jsonrpc":"2.0","id":7,"method":"no/such"}`, "7", methodNotFound},
		{"a method of 3 MB", `{"jsonrpc":"2.0","id":7,"method":"` + strings.Repeat("x", 3<<20) + `"}`, "7", methodNotFound},
		{"unknown tool", call("7", "nope", "{}"), "7", invalidParams},
	}
	c := serve(t, newToy())
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			c.t = t
			go c.send(test.line, ping)
			first, second := c.receive(), c.receive()
			if first == pong {
				first, second = second, first
			}
			if !failure(test.id, test.code)(first) {
				t.Errorf("got %.200s, want error %d for id %s", first, test.code, test.id)
			}
			if second != pong {
				t.Errorf("the ping after it got %.200s", second)
			}
		})
	}
	c.t = t
	if rest := c.end(); rest != nil {
		t.Errorf("more answers than lines: %q", rest)
	}
}
