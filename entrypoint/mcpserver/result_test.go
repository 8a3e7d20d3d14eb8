package mcpserver

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

func TestResultEncodingEqualsMcpGo(t *testing.T) {
	text := mcp.NewToolResultText("tea <b> & \u2028 \x7f \xff é 🫖")
	structured := mcp.NewToolResultText("{}")
	structured.RawStructuredContent = json.RawMessage(`{"b":1,"a":["<","\u2028"],"n":1e400}`)
	decoded := mcp.NewToolResultStructured(map[string]any{"b": 1, "a": "<"}, "text")
	failed := withRepairs([]string{"repaired"}, mcp.NewToolResultError("no"))
	asks := &mcp.CallToolResult{Result: mcp.Result{ResultType: "input_required"}}
	asks.RequestState = "sealed"
	asks.InputRequests = mcp.InputRequests{"approval": mcp.NewElicitationInputRequest(mcp.ElicitationParams{Message: "<Send>?"})}
	rich := &mcp.CallToolResult{Content: []mcp.Content{mcp.NewImageContent("aGk=", "image/png"), mcp.NewTextContent("")}}
	for name, r := range map[string]*mcp.CallToolResult{
		"text": text, "structured": structured, "decoded": decoded, "error": failed, "question": asks, "empty": {}, "rich": rich,
	} {
		want, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := encodeAnswer([]byte("1"), mcp.JSONRPCResponse{Result: r})
		if want = append([]byte(`{"jsonrpc":"2.0","id":1,"result":`), append(want, "}\n"...)...); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %s, not %s, %v", name, got, want, err)
		}
	}
}
