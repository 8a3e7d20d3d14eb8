package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// A request that is not a valid request of the owner's client gets the
// appropriate status, and changes nothing.
func TestBadRequestsGetTheirStatus(t *testing.T) {
	t.Parallel()
	w := startHTTPServer(t, t.TempDir())
	session := w.beginSession()
	list := `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`
	modernList, modernHeaders := modernRequest("tools/list", object{})
	modernCall, modernCallHeaders := modernRequest("tools/call", object{"name": "memory_get", "arguments": object{"query": "x"}})
	modernRead, modernReadHeaders := modernRequest("resources/read", object{"uri": "memory://none"})
	foreign := "eyJhbGciOiJSUzI1NiJ9.eyJhdWQiOiJhbm90aGVyIn0.c2ln"

	for _, c := range []struct {
		name   string
		method string
		body   string
		change func(*http.Request)
		status int
		says   string // part of the body, or of a header
	}{
		{"a good one", "POST", list, session, 200, `"kota_discover_bundles"`},
		{"a good one of 2026-07-28", "POST", modernList, modernHeaders, 200, `"kota_discover_bundles"`},
		{"from localhost, by a browser", "POST", list, changeAll(session, header("Origin", "http://localhost:6274")), 200, `"tools"`},

		{"Origin of a page", "POST", list, changeAll(session, header("Origin", "http://evil.example")), 403, "Origin"},
		{"Origin of a page that has this one's name in it", "POST", list, changeAll(session, header("Origin", "http://127.0.0.1.evil.example")), 403, "Origin"},
		{"Origin null", "POST", list, changeAll(session, header("Origin", "null")), 403, "Origin"},
		{"Origin of no web page", "POST", list, changeAll(session, header("Origin", "file://127.0.0.1")), 403, "Origin"},
		{"two Origins", "POST", list, changeAll(session, func(r *http.Request) {
			r.Header["Origin"] = []string{"http://localhost", "http://evil.example"}
		}), 403, "Origin"},
		{"Host of another", "POST", list, changeAll(session, func(r *http.Request) { r.Host = "evil.example" }), 403, "Host"},
		{"Host of another, without a token", "GET", "", changeAll(header("Authorization", ""), func(r *http.Request) { r.Host = "evil.example:8321" }), 403, "Host"},
		{"health asked by a page", "GET", "", func(r *http.Request) {
			r.URL.Path = "/healthz"
			r.Header.Set("Origin", "https://evil.example")
		}, 403, "Origin"},

		{"no token", "POST", list, changeAll(session, func(r *http.Request) { r.Header.Del("Authorization") }), 401, `Bearer realm="kota"`},
		{"another token", "POST", list, changeAll(session, header("Authorization", "Bearer "+strings.Repeat("x", 48))), 401, `error="invalid_token"`},
		{"a token for another audience", "POST", list, changeAll(session, header("Authorization", "Bearer "+foreign)), 401, `error="invalid_token"`},
		{"the token as a password", "POST", list, changeAll(session, header("Authorization", "Basic "+w.token)), 401, "Bearer"},
		{"the token twice", "POST", list, changeAll(session, func(r *http.Request) { r.Header.Add("Authorization", "Bearer "+w.token) }), 401, "Bearer"},
		{"half the token", "POST", list, changeAll(session, header("Authorization", "Bearer "+w.token[:20])), 401, `error="invalid_token"`},
		{"the token in the query", "POST", list, changeAll(session, func(r *http.Request) {
			r.Header.Del("Authorization")
			r.URL.RawQuery = "access_token=" + w.token
		}), 401, "URL"},
		{"the token in the query too", "POST", list, changeAll(session, func(r *http.Request) { r.URL.RawQuery = "token=" + w.token }), 401, "URL"},
		{"no token, and 64 MB", "POST", strings.Repeat(" ", 64<<20), header("Authorization", ""), 401, "token"},

		{"text", "POST", list, changeAll(session, header("Content-Type", "text/plain")), 415, "application/json"},
		{"a form", "POST", list, changeAll(session, header("Content-Type", "application/x-www-form-urlencoded")), 415, "application/json"},
		{"no type", "POST", list, changeAll(session, func(r *http.Request) { r.Header.Del("Content-Type") }), 415, "application/json"},
		{"another charset", "POST", list, changeAll(session, header("Content-Type", "application/json; charset=utf-16")), 415, "application/json"},
		{"compressed", "POST", list, changeAll(session, header("Content-Encoding", "gzip")), 415, "application/json"},
		{"a client that takes HTML", "POST", list, changeAll(session, header("Accept", "text/html")), 406, "text/event-stream"},
		{"a client that takes no events", "POST", list, changeAll(session, header("Accept", "application/json")), 406, "text/event-stream"},
		{"a client that takes all", "POST", list, changeAll(session, header("Accept", "*/*")), 200, `"tools"`},

		{"64 MB", "POST", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", 64<<20) + `"}}`, session, 413, "4 MiB"},
		{"a byte too much", "POST", strings.Repeat(" ", 4<<20+1), session, 413, "4 MiB"},
		{"a byte too much, said by nobody before", "POST", strings.Repeat(" ", 4<<20+1), changeAll(session, func(r *http.Request) { r.ContentLength = -1 }), 413, "4 MiB"},
		{"nothing", "POST", "", session, 400, "-32600"},
		{"garbage", "POST", "garbage", session, 400, "-32700"},
		{"bytes that are no text", "POST", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", session, 400, "-32700"},
		{"a batch", "POST", "[" + list + "]", session, 400, "batches"},
		{"a key twice", "POST", `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, session, 400, "more than once"},
		{"a key in other letters", "POST", `{"jsonrpc":"2.0","id":1,"METHOD":"ping"}`, session, 400, "lower case"},
		{"null for an id", "POST", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, session, 400, "id must be"},
		{"too deep", "POST", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `}}`, session, 400, "nested"},
		{"half a message", "POST", list[:20], session, 400, "-32700"},

		{"no session", "POST", list, nil, 400, "Mcp-Session-Id"},
		{"a session that there is not", "POST", list, header("Mcp-Session-Id", "made-up"), 404, "initialize"},
		{"a version that there is not", "POST", list, changeAll(session, header("Mcp-Protocol-Version", "2025-01-01")), 400, "2025-01-01"},
		{"a version that is none", "POST", list, changeAll(session, header("Mcp-Protocol-Version", "\"1\"")), 400, "version"},
		{"a version to come", "POST", strings.ReplaceAll(modernList, "2026-07-28", "2099-01-01"), changeAll(modernHeaders, header("Mcp-Protocol-Version", "2099-01-01")), 400, "2026-07-28"},
		{"a version in the header alone", "POST", list, header("Mcp-Protocol-Version", "2026-07-28"), 400, "-32602"},
		{"a version in the body alone", "POST", modernList, changeAll(modernHeaders, func(r *http.Request) { r.Header.Del("Mcp-Protocol-Version") }), 400, "-32020"},
		{"versions that differ", "POST", modernList, changeAll(modernHeaders, header("Mcp-Protocol-Version", "2025-11-25")), 400, "-32020"},
		{"a method that differs", "POST", modernList, changeAll(modernHeaders, header("Mcp-Method", "prompts/list")), 400, "-32020"},
		{"no method in the header", "POST", modernList, changeAll(modernHeaders, func(r *http.Request) { r.Header.Del("Mcp-Method") }), 400, "-32020"},
		{"a tool that differs", "POST", modernCall, changeAll(modernCallHeaders, header("Mcp-Name", "memory_delete")), 400, "-32020"},
		{"an event to go on from", "POST", modernList, changeAll(modernHeaders, header("Last-Event-ID", "7")), 400, "-32020"},
		{"a response to nobody", "POST", `{"jsonrpc":"2.0","id":1,"result":{}}`, header("Mcp-Protocol-Version", "2026-07-28"), 400, "-32600"},
		{"what 2026-07-28 no longer has", "POST", strings.Replace(modernList, "tools/list", "ping", 1), changeAll(modernHeaders, header("Mcp-Method", "ping")), 404, "-32601"},
		{"what only 2026-07-28 has", "POST", `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`, session, 200, "-32601"},
		{"what there never was", "POST", `{"jsonrpc":"2.0","id":1,"method":"no/such"}`, session, 200, "-32601"},

		{"a memory that there is not", "POST", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"memory://none"}}`, session, 200, `"code":-32002`},
		{"the same in 2026-07-28", "POST", modernRead, changeAll(modernReadHeaders, header("Mcp-Name", "memory://none")), 400, `"code":-32602`},
		{"a tool that there is not", "POST", toolCall(1, "no_such", object{}), session, 200, "TOOL_NOT_FOUND"},

		{"GET without a session", "GET", "", nil, 400, "Mcp-Session-Id"},
		{"GET of a session that there is not", "GET", "", header("Mcp-Session-Id", "made-up"), 404, "initialize"},
		{"GET for JSON", "GET", "", changeAll(session, header("Accept", "application/json")), 406, "text/event-stream"},
		{"GET of 2026-07-28", "GET", "", changeAll(session, header("Mcp-Protocol-Version", "2026-07-28")), 405, "subscriptions/listen"},
		{"DELETE of 2026-07-28", "DELETE", "", changeAll(session, header("Mcp-Protocol-Version", "2026-07-28")), 405, "POST"},
		{"DELETE of a version that there is not", "DELETE", "", changeAll(session, header("Mcp-Protocol-Version", "1.0")), 400, "version"},
		{"DELETE without a session", "DELETE", "", nil, 400, "Mcp-Session-Id"},
		{"PUT", "PUT", list, session, 405, "POST"},
		{"OPTIONS", "OPTIONS", "", header("Origin", "http://localhost:6274"), 405, "POST"},
		{"another path", "POST", list, func(r *http.Request) { r.URL.Path = "/" }, 404, "/mcp"},
		{"a path above", "POST", list, func(r *http.Request) { r.URL.Path = "/mcp/../mcp" }, 404, "/mcp"},
		{"health asked with POST", "POST", list, func(r *http.Request) { r.URL.Path = "/healthz" }, 405, "GET"},

		{"DELETE", "DELETE", "", session, 204, ""},
		{"a session that has ended", "POST", list, session, 404, "initialize"},
		{"GET of a session that has ended", "GET", "", session, 404, "initialize"},
		{"DELETE of a session that has ended", "DELETE", "", session, 404, "initialize"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := w.ask(c.method, c.body, c.change)
			if got.status != c.status || !strings.Contains(got.body+fmt.Sprint(got.header), c.says) {
				t.Errorf("got %d %.300s %v; want %d and %q", got.status, got.body, got.header, c.status, c.says)
			}
			if strings.Contains(got.body, w.token) {
				t.Error("the token is in the answer")
			}
		})
	}
	if log := w.stop(); strings.Contains(log, w.token) {
		t.Error("the token is in the log")
	}
}
