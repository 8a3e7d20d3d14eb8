package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCompletionOmitsSecretKeys(t *testing.T) {
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "bundles.yaml"), []byte("google: {tokens: file}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	runKota(t, home, nil, 0, "call", "memory_set", "key=door_colour", "value=green")
	runKota(t, home, nil, 0, "call", "memory_set", "key=door_code", "value=1234", "secret:=true")
	runKota(t, home, nil, 0, "call", "memory_set", "key=theme", "value=dark")
	w := startHTTPServer(t, home)
	session := w.beginSession()
	for _, ref := range []string{`{"type":"ref/resource","uri":"memory://{key}"},"argument":{"name":"key","value":"door"}`, `{"type":"ref/prompt","name":"recall"},"argument":{"name":"about","value":"door"}`} {
		got := w.ask(http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":`+ref+`}}`, session)
		if !strings.Contains(got.body, `"values":["door_colour"]`) {
			t.Errorf("%s: got %d %s, want door_colour alone", ref, got.status, got.body)
		}
	}
	w.stop()
}
