package mcpserver

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"kota/entrypoint/wiretest"
)

// A proxy may use an argument that a header repeats (x-mcp-header, SEP-2243). So the
// header and the argument must be equal, in both directions.
func TestMirroredHeaderMustEqualArgument(t *testing.T) {
	runWithClient(t, "in 2026-07-28", func(t *testing.T, v *wiretest.Client, toy *toyServer) {
		schema := json.RawMessage(`{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"n":{"type":"integer","x-mcp-header":"N"}}}`)
		toy.AddTool(mcp.NewToolWithRawSchema("mirrored", "mirrored", schema), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText("begun"), nil
		})
		v.Endpoint = toy.endpoint(t)
		const good, mismatch = 200, 400
		for i, c := range []struct {
			args    string
			headers []string
			status  int
		}{
			{`{"region":"eu"}`, []string{"Mcp-Param-Region", "eu"}, good},
			{`{"region":"eu"}`, []string{"mcp-param-region", "eu"}, good},
			{`{"region":"Zürich"}`, []string{"Mcp-Param-Region", "=?base64?WsO8cmljaA==?="}, good},
			{`{"region":"eu","n":42}`, []string{"Mcp-Param-Region", "eu", "Mcp-Param-N", "42"}, good},
			{`{}`, nil, good},
			{`{"region":"eu"}`, []string{"Mcp-Param-Region", "us"}, mismatch},
			{`{"region":"eu"}`, []string{"Mcp-Param-Region", "EU"}, mismatch},
			{`{"region":"eu"}`, []string{"Mcp-Param-Region", ""}, mismatch},
			{`{"region":"eu"}`, nil, mismatch},
			{`{}`, []string{"Mcp-Param-Region", "eu"}, mismatch},
			{`{"region":"eu","n":42}`, []string{"Mcp-Param-Region", "eu", "Mcp-Param-N", "43"}, mismatch},
			{`{"region":"Zürich"}`, []string{"Mcp-Param-Region", "=?base64?WsO8cmljaA?="}, mismatch},
			{`{"region":"Zürich"}`, []string{"Mcp-Param-Region", "=?base64?WsO8!!!jaA==?="}, mismatch},
		} {
			got := v.CallModern(i+1, "mirrored", c.args, c.headers...)
			says := "begun"
			if c.status == mismatch {
				says = `"code":-32020`
			}
			if got.Expect(t, c.status, says); t.Failed() {
				t.Fatalf("%s with %q", c.args, c.headers)
			}
		}
	})
	runWithClient(t, "and means nothing before", func(t *testing.T, v *wiretest.Client, _ *toyServer) {
		v = v.BeginSession()
		v.Post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"eu"}}}`,
			"Mcp-Param-Region", "us", "Mcp-Name", "other", "Mcp-Method", "ping").Expect(t, 200, "eu")
	})
}
