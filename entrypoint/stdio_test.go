package entrypoint

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
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// A toyServer is a real MCP server whose tools can be held up.
type toyServer struct {
	*server.MCPServer
	release chan struct{} // closed, lets the stubborn tool return
	store   string        // what "put" stored last
}

// newToyServer returns a server with these tools: echo (reads), get (reads), put
// (writes, yields the processor a few times before it stores), wait (reads
// until it is cancelled), stubborn (writes, ignores its context), fail
// (panics), ask (writes, asks the user) and progress (notifies, then answers; late, when released).
func newToyServer() *toyServer {
	toy := &toyServer{MCPServer: server.NewMCPServer("toy", "1"), release: make(chan struct{})}
	add := func(name string, reads bool, handle func(context.Context, mcp.CallToolRequest) (string, error)) {
		tool := mcp.NewTool(name, mcp.WithDescription(name), mcp.WithReadOnlyHintAnnotation(reads))
		toy.AddTool(tool, func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			text, err := handle(ctx, r)
			if err != nil {
				return nil, err
			}
			return mcp.NewToolResultText(text), nil
		})
	}
	add("echo", true, func(_ context.Context, r mcp.CallToolRequest) (string, error) {
		return r.GetString("text", ""), nil
	})
	add("get", true, func(context.Context, mcp.CallToolRequest) (string, error) { return toy.store, nil })
	add("put", false, func(_ context.Context, r mcp.CallToolRequest) (string, error) {
		time.Sleep(time.Millisecond) // gives a later get the chance to be first
		toy.store = r.GetString("text", "")
		return "stored", nil
	})
	add("wait", true, func(ctx context.Context, _ mcp.CallToolRequest) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	})
	add("stubborn", false, func(context.Context, mcp.CallToolRequest) (string, error) {
		<-toy.release
		return "at last", nil
	})
	add("fail", true, func(context.Context, mcp.CallToolRequest) (string, error) { panic("secret") })
	add("ask", false, func(ctx context.Context, _ mcp.CallToolRequest) (string, error) {
		answer, err := toy.RequestElicitation(ctx, mcp.ElicitationRequest{Params: mcp.ElicitationParams{
			Message: "sure?", RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}},
		}})
		if err != nil {
			return "", err
		}
		return string(answer.Action), nil
	})
	add("progress", true, func(ctx context.Context, r mcp.CallToolRequest) (string, error) {
		if r.GetBool("late", false) {
			<-toy.release
		}
		for i := range 20 {
			err := toy.SendNotificationToClient(ctx, "notifications/progress", map[string]any{
				"progressToken": r.Params.Meta.ProgressToken, "progress": i,
			})
			if err != nil {
				return "", err
			}
		}
		return "done", nil
	})
	return toy
}

// A client writes lines to a served server and reads lines from it.
type client struct {
	t    testing.TB
	in   io.WriteCloser
	out  *bufio.Reader
	done chan error
}

// serve serves s over pipes of the operating system until the client ends its input.
func serve(t testing.TB, s *server.MCPServer) *client {
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
		c.done <- ServeStdio(context.Background(), s, inR, outW, slog.New(slog.DiscardHandler))
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

// end ends the input and returns what was still written.
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

func TestStdioAnswersBadLinesOnceAndGoesOn(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	request := func(params string) string {
		return `{"jsonrpc":"2.0","id":7,"method":"ping","params":` + params + `}`
	}
	cases := []struct {
		name, line, id string
		code           int
	}{
		{"garbage", "hello", "null", mcp.PARSE_ERROR},
		{"half a message", `{"jsonrpc":"2.0","id":7,"method":"pi`, "null", mcp.PARSE_ERROR},
		{"two messages on a line", ping + ping, "null", mcp.PARSE_ERROR},
		{"a NUL", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"a\x00b\"}", "null", mcp.PARSE_ERROR},
		{"a NUL after the message", ping + "\x00", "null", mcp.PARSE_ERROR},
		{"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"a\xff\"}", "null", mcp.PARSE_ERROR},
		{"a surrogate in UTF-8", request("{\"a\":\"\xed\xa0\x80\"}"), "null", mcp.PARSE_ERROR},
		{"an overlong form", request("{\"a\":\"\xc0\xaf\"}"), "null", mcp.PARSE_ERROR},
		{"a byte order mark", "\ufeff" + ping, "null", mcp.PARSE_ERROR},
		{"deep nesting", request(`{"a":` + deep(100_000) + `}`), "7", mcp.INVALID_REQUEST},
		{"deep nesting alone", deep(100_000), "null", mcp.INVALID_REQUEST},
		{"deep nesting without end", strings.Repeat(`{"a":`, 1_000_000), "null", mcp.PARSE_ERROR},
		{"deep nesting, then a second id", `{"id":7,"a":` + deep(600) + `,"id":8}`, "null", mcp.INVALID_REQUEST},
		{"a batch", "[" + ping + "," + ping + "]", "null", mcp.INVALID_REQUEST},
		{"an empty batch", "[]", "null", mcp.INVALID_REQUEST},
		{"a string", `"ping"`, "null", mcp.INVALID_REQUEST},
		{"a number", `12`, "null", mcp.INVALID_REQUEST},
		{"null", `null`, "null", mcp.INVALID_REQUEST},
		{"an empty object", `{}`, "null", mcp.INVALID_REQUEST},
		{"two ids", `{"jsonrpc":"2.0","id":7,"id":8,"method":"ping"}`, "null", mcp.INVALID_REQUEST},
		{"two ids, one escaped", `{"jsonrpc":"2.0","id":7,"\u0069d":8,"method":"ping"}`, "null", mcp.INVALID_REQUEST},
		{"ID beside id", `{"jsonrpc":"2.0","id":7,"ID":8,"method":"ping"}`, "null", mcp.INVALID_REQUEST},
		{"ID alone", `{"jsonrpc":"2.0","ID":7,"method":"ping"}`, "null", mcp.INVALID_REQUEST},
		{"Method", `{"jsonrpc":"2.0","id":7,"Method":"ping"}`, "7", mcp.INVALID_REQUEST},
		{"Method beside method", `{"jsonrpc":"2.0","id":7,"method":"ping","Method":"tools/list"}`, "7", mcp.INVALID_REQUEST},
		{"paramſ, which folds to params", `{"jsonrpc":"2.0","id":7,"method":"ping","paramſ":{}}`, "7", mcp.INVALID_REQUEST},
		{"jsonrpc twice", `{"jsonrpc":"2.0","jsonrpc":"2.0","id":7,"method":"ping"}`, "7", mcp.INVALID_REQUEST},
		{"two methods", `{"jsonrpc":"2.0","id":7,"method":"ping","method":"ping"}`, "7", mcp.INVALID_REQUEST},
		{"two params", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{},"params":{}}`, "7", mcp.INVALID_REQUEST},
		{"no version", `{"id":7,"method":"ping"}`, "7", mcp.INVALID_REQUEST},
		{"another version", `{"jsonrpc":"1.0","id":7,"method":"ping"}`, "7", mcp.INVALID_REQUEST},
		{"a numeric version", `{"jsonrpc":2.0,"id":7,"method":"ping"}`, "7", mcp.INVALID_REQUEST},
		{"no method", `{"jsonrpc":"2.0","id":7}`, "7", mcp.INVALID_REQUEST},
		{"a numeric method", `{"jsonrpc":"2.0","id":7,"method":1}`, "7", mcp.INVALID_REQUEST},
		{"a numeric method and no id", `{"jsonrpc":"2.0","method":1,"params":"bar"}`, "null", mcp.INVALID_REQUEST},
		{"method and result", `{"jsonrpc":"2.0","id":7,"method":"ping","result":{}}`, "7", mcp.INVALID_REQUEST},
		{"string params", request(`"x"`), "7", mcp.INVALID_REQUEST},
		{"array params", request(`[1]`), "7", mcp.INVALID_REQUEST},
		{"null id", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, "null", mcp.INVALID_REQUEST},
		{"object id", `{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, "null", mcp.INVALID_REQUEST},
		{"array id", `{"jsonrpc":"2.0","id":[1],"method":"ping"}`, "null", mcp.INVALID_REQUEST},
		{"boolean id", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, "null", mcp.INVALID_REQUEST},
		{"fractional id", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, "null", mcp.INVALID_REQUEST},
		{"an id of 2 MB", `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 2<<20) + `","method":"ping"}`, "null", mcp.INVALID_REQUEST},
		{"unknown method", `{"jsonrpc":"2.0","id":7,"method":"no/such"}`, "7", mcp.METHOD_NOT_FOUND},
		{"a method of 3 MB", `{"jsonrpc":"2.0","id":7,"method":"` + strings.Repeat("x", 3<<20) + `"}`, "7", mcp.METHOD_NOT_FOUND},
		{"unknown tool", call("7", "nope", "{}"), "7", mcp.INVALID_PARAMS},
		{"panic in a tool", call("7", "fail", "{}"), "7", mcp.INTERNAL_ERROR},
	}
	c := serve(t, newToyServer().MCPServer)
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
			if strings.Contains(first, "secret") {
				t.Errorf("%s tells what the panic was", first)
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
