package mcpserver

import (
	"encoding/json"
	"fmt"
	"testing"

	"kota/bundles"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/routertest"
)

// structuredFor returns whether the answers to the calls have structured content. The
// client sends that name with each request.
func structuredFor(t *testing.T, o Options, client string, calls ...string) []bool {
	t.Helper()
	_, b := routertest.NewNotes("notes")
	s := New(routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b}}), o)
	var got []bool
	for _, call := range calls {
		message := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{%s,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":%q,"version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`, call, client)
		raw, err := json.Marshal(s.HandleMessage(t.Context(), json.RawMessage(message)))
		if err != nil {
			t.Fatal(err)
		}
		var answer struct {
			Result struct {
				Content           []struct{ Text string }
				StructuredContent json.RawMessage
			}
		}
		if err := json.Unmarshal(raw, &answer); err != nil || len(answer.Result.Content) != 1 || answer.Result.Content[0].Text == "" {
			t.Fatalf("%s: %v: %s", call, err, raw)
		}
		structured := answer.Result.StructuredContent
		if len(structured) > 0 && string(structured) != answer.Result.Content[0].Text {
			t.Errorf("%s: the structured content says something else: %s", call, raw)
		}
		got = append(got, len(structured) > 0)
	}
	return got
}

func TestStructuredContentGoesToClientsThatUseIt(t *testing.T) {
	const list = `"name":"notes_list","arguments":{}`
	const describe = `"name":"kota_describe_bundle","arguments":{"bundle":"notes","actions":["list"]}`
	const output = `"name":"kota_describe_bundle","arguments":{"bundle":"notes","actions":["list"],"include":["output"]}`
	for _, c := range []struct {
		structured StructuredMode
		client     string
		want       bool
	}{
		{"", "claude-code", true}, {"", "Visual Studio Code", true}, {"", "cursor-vscode", true}, {"", "codex-mcp-client", true}, {"", "my-script", true}, {"", "", true},
		{"auto", "claude-ai", false}, {"auto", "claude-ai (via mcp-remote 0.1.0)", false}, {"auto", "gemini-cli-mcp-client", false}, {"auto", "opencode", false}, {"auto", "ChatGPT", false},
		{"auto", "github-copilot-developer", false}, {"auto", "JetBrains-IU-copilot-intellij", false},
		{"on", "claude-ai", true}, {"off", "claude-code", false},
	} {
		got := structuredFor(t, Options{Structured: c.structured}, c.client, list, describe, list)
		if want := []bool{c.want, c.want, c.want}; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("structured %q, client %q: %v, want %v", c.structured, c.client, got, want)
		}
		asked := structuredFor(t, Options{Structured: c.structured}, c.client, output, list)
		if want := c.structured != StructuredOff; asked[1] != want {
			t.Errorf("structured %q, client %q: after an output schema was asked for %v, want %v", c.structured, c.client, asked[1], want)
		}
	}
}
