package server

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"
)

// object is a JSON object.
type object = map[string]any

const initializeRequest = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`

// modernRequest returns a request of protocol 2026-07-28: its body and headers.
func modernRequest(method string, params object) (body string, headers func(*http.Request)) {
	params["_meta"] = object{
		"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
		"io.modelcontextprotocol/clientInfo":         object{"name": "test", "version": "1"},
		"io.modelcontextprotocol/clientCapabilities": object{},
	}
	return request(method, params), func(r *http.Request) {
		r.Header.Set("Mcp-Protocol-Version", "2026-07-28")
		r.Header.Set("Mcp-Method", method)
		if name, ok := params["name"].(string); ok {
			r.Header.Set("Mcp-Name", name)
		}
	}
}

func request(method string, params object) string {
	raw, err := json.Marshal(object{"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// until waits until so holds.
func until(t *testing.T, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it never %s", what)
		}
	}
}
