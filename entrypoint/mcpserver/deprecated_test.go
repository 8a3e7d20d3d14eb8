package mcpserver

import (
	"encoding/json"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"kota/entrypoint/routertest"
)

func TestResultNamesReplacementOfDeprecatedAction(t *testing.T) {
	r := routertest.WithDeprecatedAction(t)
	const note = "notes_all is deprecated. Use instead: notes_list"
	want, err := routertest.Call(t, r, "notes_list", `{}`)
	if err != nil {
		t.Fatal(err)
	}
	s := New(r, Options{})
	for _, c := range []struct{ tool, args, note string }{
		{"notes_all", `{}`, note},
		{"kota_read", `{"bundle": "notes", "action": "all"}`, note},
		{"notes_list", `{}`, ""},
	} {
		raw := s.HandleMessage(t.Context(), json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+c.tool+`","arguments":`+c.args+`}}`))
		response, ok := raw.(mcp.JSONRPCResponse)
		if !ok {
			t.Fatalf("%s: got %v", c.tool, raw)
		}
		text, err := json.Marshal(response.Result)
		if err != nil {
			t.Fatal(err)
		}
		var result struct {
			Content           []struct{ Text string }
			StructuredContent json.RawMessage
			Meta              map[string]any `json:"_meta"`
		}
		if err := json.Unmarshal(text, &result); err != nil {
			t.Fatal(err)
		}
		if string(result.StructuredContent) != want || result.Content[0].Text != want {
			t.Errorf("%s: got %s, want the answer of notes_list, %s", c.tool, text, want)
		}
		if said, _ := result.Meta["kota/note"].(string); said != c.note || len(result.Content) != 1+min(len(c.note), 1) || result.Content[len(result.Content)-1].Text != c.note && c.note != "" {
			t.Errorf("%s: got %s, want the note %q", c.tool, text, c.note)
		}
	}
}
