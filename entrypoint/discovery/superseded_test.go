package discovery_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

// withSuccessor is the bundle notes with an older form of notes_list.
func withSuccessor(t *testing.T) *entrypoint.Router {
	t.Helper()
	_, b := routertest.NewNotes("notes")
	i := slices.IndexFunc(b.Actions, func(a bundles.Action) bool { return a.Name == "list" })
	old := b.Actions[i]
	old.Name, old.Deprecated = "all", "notes_list"
	b = bundles.New(b.Bundle, append([]bundles.Action{old}, b.Actions...)...)
	return routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b}})
}

func TestADeprecatedActionAnswersWithItsSuccessor(t *testing.T) {
	r := withSuccessor(t)
	const note = "notes_all is deprecated. Instead: notes_list"
	want, err := routertest.Call(t, r, "notes_list", `{}`)
	if err != nil {
		t.Fatal(err)
	}
	s := entrypoint.NewServer(r, entrypoint.ServerOptions{})
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

func TestADeprecatedActionRanksBehindItsSuccessor(t *testing.T) {
	d := discover(t, withSuccessor(t), `{"query": "list notes", "limit": 10}`)
	found := tools(d)
	if i := slices.Index(found, "notes_all"); i < 0 || i < slices.Index(found, "notes_list") || i != len(found)-1 {
		t.Errorf("found %v, want notes_all last", found)
	}
	if last := d.Actions[len(d.Actions)-1]; last.Deprecated != "notes_list" {
		t.Errorf("got %+v, want it to name what to call instead", last)
	}
}

func TestADescriptionSaysWhatADeprecatedActionGaveWayTo(t *testing.T) {
	r := withSuccessor(t)
	for _, args := range []string{`{"bundle": "notes", "actions": ["all"]}`, `{"bundle": "notes", "actions": ["all"], "detail": "spec"}`} {
		if got, err := routertest.Call(t, r, "kota_describe_bundle", args); err != nil || !strings.Contains(got, "notes_list") || !strings.Contains(got, "deprecated") {
			t.Errorf("%s: got %s %v", args, got, err)
		}
	}
	if page := metadata.Markdown(r.EnabledBundles(), metadata.Full); !strings.Contains(page, "Deprecated: notes_list.") {
		t.Errorf("the page does not say it:\n%s", page)
	}
}
