package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// Everything that is listed has a title, in either era, and the server has an
// icon when a client connects.
func TestEverythingListedHasTitle(t *testing.T) {
	t.Parallel()
	w := startHTTPServer(t, newHomeWithAllBundles(t))
	session := w.beginSession()
	for _, list := range []string{"tools", "prompts", "resources", "resources/templates"} {
		legacy := w.ask(http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"`+list+`/list"}`, session)
		body, headers := modernRequest(list+"/list", object{})
		for era, answer := range map[string]httpAnswer{"2025-11-25": legacy, "2026-07-28": w.ask(http.MethodPost, body, headers)} {
			var listing struct{ Result map[string]json.RawMessage }
			if err := json.Unmarshal([]byte(answer.body), &listing); err != nil {
				t.Fatalf("%s: %v: %s", list, err, answer.body)
			}
			key := strings.Replace(list, "resources/templates", "resourceTemplates", 1)
			var items []struct{ Name, Title, Description string }
			if err := json.Unmarshal(listing.Result[key], &items); err != nil || len(items) < 3 {
				t.Errorf("%s, %s: %v, %v", era, list, items, err)
			}
			for _, item := range items {
				if item.Title == "" || item.Title == item.Name || item.Description == "" {
					t.Errorf("%s, %s: %+v", era, list, item)
				}
			}
		}
	}
	hello := w.ask(http.MethodPost, initializeRequest, nil)
	body, headers := modernRequest("server/discover", object{})
	for era, answer := range map[string]string{"2025-11-25": hello.body, "2026-07-28": w.ask(http.MethodPost, body, headers).body} {
		if !strings.Contains(answer, `"title":"KOTA"`) || !strings.Contains(answer, `"src":"data:image/svg+xml;base64,`) {
			t.Errorf("%s: no title or icon: %s", era, answer)
		}
	}
	w.stop()
}

// Only protocol 2025-03-26 had batches, and every SDK has dropped them since. A
// batch is refused as a whole, with one error that says so, in every version.
// None of it is run.
func TestBatchIsRefusedInEveryVersion(t *testing.T) {
	t.Parallel()
	batch := "[" + strings.TrimSpace(toolCall(1, "memory_set", object{"key": "first", "value": "x"})) + "," +
		strings.TrimSpace(toolCall(2, "memory_set", object{"key": "second", "value": "x"})) + "]"
	refused := func(answer string) bool {
		var e struct {
			ID    any
			Error struct{ Code int }
		}
		return json.Unmarshal([]byte(answer), &e) == nil && e.ID == nil && e.Error.Code == -32600 && strings.Contains(answer, "one message at a time")
	}
	home := t.TempDir()
	w := startHTTPServer(t, home)
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		hello := w.ask(http.MethodPost, strings.Replace(initializeRequest, "2025-11-25", version, 1), nil)
		if !strings.Contains(hello.body, `"protocolVersion":"`+version+`"`) {
			t.Errorf("%s is not agreed on: %s", version, hello.body)
		}
		session := header("Mcp-Session-Id", hello.header.Get("Mcp-Session-Id"))
		if got := w.ask(http.MethodPost, batch, session); got.status != 400 || !refused(got.body) {
			t.Errorf("%s over HTTP: got %d %s", version, got.status, got.body)
		}
		stdout := runLines(t, home, strings.Replace(initializeRequest, "2025-11-25", version, 1), batch, `{"jsonrpc":"2.0","id":9,"method":"ping"}`)
		if len(stdout) != 3 || !refused(stdout[1]) && !refused(stdout[0]) && !refused(stdout[2]) {
			t.Errorf("%s on stdio: got %q", version, stdout)
		}
	}
	_, headers := modernRequest("tools/call", object{"name": "memory_set"})
	if got := w.ask(http.MethodPost, batch, headers); got.status != 400 || !refused(got.body) {
		t.Errorf("2026-07-28 over HTTP: got %d %s", got.status, got.body)
	}
	if got := w.ask(http.MethodPost, toolCall(3, "memory_list", object{}), w.beginSession()); strings.Contains(got.body, "first") || strings.Contains(got.body, "second") {
		t.Errorf("a batch was carried out: %s", got.body)
	}
	w.stop()
}

// runLines sends the lines to a server on stdio, and returns the answers before
// it ends.
func runLines(t *testing.T, home string, lines ...string) []string {
	t.Helper()
	d := &testHome{t: t, home: home}
	stdout, stderr, status := d.runWith(strings.NewReader(strings.Join(lines, "\n")+"\n"), nil, "serve")
	if status != 0 {
		t.Fatal(stderr)
	}
	return strings.Split(strings.TrimSpace(stdout), "\n")
}
