package mcpserver

import (
	"encoding/json"
	"strings"
	"testing"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/policy"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

// request sends one request to a server over the router and returns the answer.
func request(t *testing.T, r *entrypoint.Router, method, params string) string {
	t.Helper()
	s := New(r, Options{Version: "1", Expose: ExposeAll})
	answer := s.HandleMessage(t.Context(), json.RawMessage(`{"jsonrpc": "2.0", "id": 1, "method": "`+method+`", "params": `+params+`}`))
	text, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestResourcesAndPromptsAreHiddenWithTheirAction(t *testing.T) {
	requests := []struct{ method, params, secret string }{
		{"resources/list", `{}`, "notes://all"},
		{"resources/read", `{"uri": "notes://all"}`, "the notes"},
		{"prompts/list", `{}`, `"look"`},
		{"prompts/get", `{"name": "look"}`, "Look at them."},
		{"tools/list", `{}`, `"notes_list"`},
	}
	for name, c := range map[string]struct {
		policy policy.Policy
		shown  bool
	}{
		"everything":           {policy.Policy{}, true},
		"an action hidden":     {policy.Policy{Actions: []string{"notes_add"}}, false},
		"a bundle hidden":      {policy.Policy{Bundles: []string{"other"}}, false},
		"reading not allowed":  {policy.Policy{Effects: []metadata.Effect{metadata.Writes}}, false},
		"only reading allowed": {policy.Policy{Effects: []metadata.Effect{metadata.Reads}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			n, b := routertest.NewNotes("notes")
			r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b}, Policy: c.policy})
			for _, q := range requests {
				if got := request(t, r, q.method, q.params); strings.Contains(got, q.secret) != c.shown {
					t.Errorf("%s %s: shown %v, want %v: %s", q.method, q.params, !c.shown, c.shown, got)
				}
			}
			if n.Ran["resource"] > 0 != c.shown {
				t.Errorf("the resource was read %d times, shown is %v", n.Ran["resource"], c.shown)
			}
		})
	}
}

func TestResourcePanicDoesNotShowItsValue(t *testing.T) {
	_, b := routertest.NewNotes("notes")
	got := request(t, routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b}}), "resources/read", `{"uri": "notes://burst"}`)
	if strings.Contains(got, "4711") || !strings.Contains(got, `"error"`) {
		t.Errorf("got %s, want an error that does not quote the panic", got)
	}
}

func TestOpenWorldHint(t *testing.T) {
	list := request(t, routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{routertest.Letters()}}), "tools/list", `{}`)
	var listing struct {
		Result struct {
			Tools []struct {
				Name        string
				Annotations struct{ OpenWorldHint bool }
			}
		}
	}
	if err := json.Unmarshal([]byte(list), &listing); err != nil {
		t.Fatal(err)
	}
	open := map[string]bool{"letters_send": true, "letters_release": true, "letters_run_away": true, "letters_hand_over": true, "kota_entry_point": true, "kota_read": true}
	if len(listing.Result.Tools) != 8 {
		t.Errorf("there are %d tools, want 8", len(listing.Result.Tools))
	}
	for _, tool := range listing.Result.Tools {
		if tool.Annotations.OpenWorldHint != open[tool.Name] {
			t.Errorf("%s: openWorldHint %v, want %v", tool.Name, tool.Annotations.OpenWorldHint, open[tool.Name])
		}
	}
}
