package mcpserver

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kota/entrypoint"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/transport"
	"kota/entrypoint/wiretest"
)

// A toyServer is a real MCP server whose tools can be delayed.
type toyServer struct {
	*server.MCPServer
	release chan struct{} // closing it lets the stubborn tool return
	store   string        // what "put" stored last
}

// newToyServer returns a server with these tools: echo (reads), get (reads), put (writes,
// yields the processor a few times before it stores), wait (reads until it is cancelled),
// stubborn (writes, ignores its context), fail (panics), ask (writes, asks the user) and
// progress (notifies, then answers; with late, when released).
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
		time.Sleep(time.Millisecond) // a later get could overtake it here
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

var quiet = slog.New(slog.DiscardHandler)

// annotatedCalls has the calls of a server without a router. The annotations of its tools
// classify them.
type annotatedCalls struct {
	*entrypoint.Router // without tools
	listed             *server.MCPServer
}

func callsOf(s *server.MCPServer) annotatedCalls {
	r, err := pipeline.New(pipeline.Options{})
	if err != nil {
		panic(err)
	}
	return annotatedCalls{r, s}
}

func (a annotatedCalls) Traits(tool, _, _ string) (reads, remote, known bool) {
	says := func(hint *bool) bool { return hint != nil && *hint }
	listed := a.listed.GetTool(tool)
	if listed == nil {
		return false, false, false
	}
	return says(listed.Tool.Annotations.ReadOnlyHint), says(listed.Tool.Annotations.OpenWorldHint), true
}

// endpoint returns the server over HTTP.
func (toy *toyServer) endpoint(t *testing.T) *transport.Endpoint {
	return transport.NewEndpoint(t.Context(), newHost(toy.MCPServer, callsOf(toy.MCPServer), nil, quiet), quiet)
}

func newTestClient(t *testing.T, e *transport.Endpoint) *wiretest.Client {
	return &wiretest.Client{T: t, Endpoint: e, Principal: "ann", Admit: func(ctx context.Context, who string) context.Context {
		return transport.Principal{Name: who}.NewContext(ctx)
	}}
}

// runWithClient runs a test with a client of a toy server.
func runWithClient(t *testing.T, name string, test func(*testing.T, *wiretest.Client, *toyServer)) {
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			toy := newToyServer()
			test(t, newTestClient(t, toy.endpoint(t)), toy)
		})
	})
}

func TestPanicValueIsNotShown(t *testing.T) {
	runWithClient(t, "of a tool", func(t *testing.T, v *wiretest.Client, _ *toyServer) {
		answer := v.BeginSession().CallLegacy(1, "fail", "{}")
		answer.Expect(t, 200, `"code":-32603`)
		if strings.Contains(answer.Body.String(), "secret") {
			t.Errorf("%s tells what the panic was", answer.Body)
		}
	})
}
