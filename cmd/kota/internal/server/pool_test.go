package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kota/auth/issuer"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/tenant"
	"kota/cmd/kota/internal/term"
	"kota/entrypoint/transport"
)

// newTestPool returns a pool that serves the tenants of a new home.
func newTestPool(t *testing.T) (pool *Pool, of func(subject string) tenant.Identity) {
	t.Helper()
	home, from := filepath.Join(t.TempDir(), "home"), "https://login.example.com"
	env := func(name string) string { return map[string]string{"KOTA_HOME": home}[name] }
	a := &app.App{Env: env, Terminal: term.Terminal{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard}}
	router, err := a.Router()
	if err != nil {
		t.Fatal(err)
	}
	pool = NewPool(t.Context(), a, router)
	t.Cleanup(func() {
		pool.Drain()
		pool.Close(context.Background())
		if err := a.Finish(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return pool, func(subject string) tenant.Identity {
		p := issuer.Person{Issuer: from, Subject: subject}
		f, _ := a.Registry().FolderOf(p)
		return tenant.Identity{Folder: f, Person: p}
	}
}

// callTool makes a tenant call a tool, and returns the status and the answer.
func (pool *Pool) callTool(t *testing.T, who tenant.Identity, tool string, args object) (int, string) {
	t.Helper()
	body, headers := modernRequest("tools/call", object{"name": tool, "arguments": args})
	w := pool.post(t.Context(), who, body, headers)
	return w.Code, w.Body.String()
}

// post makes a tenant post a message.
func (pool *Pool) post(ctx context.Context, who tenant.Identity, body string, headers func(*http.Request)) *httptest.ResponseRecorder {
	return pool.send(ctx, who, http.MethodPost, body, headers)
}

// send makes a tenant send a request, and returns the answer.
func (pool *Pool) send(ctx context.Context, who tenant.Identity, method, body string, headers func(*http.Request)) *httptest.ResponseRecorder {
	ctx = transport.Principal{Name: who.Folder.Name, Identity: who}.NewContext(ctx)
	r := httptest.NewRequestWithContext(ctx, method, "/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	headers(r)
	w := httptest.NewRecorder()
	pool.ServeHTTP(w, r)
	return w
}

func (pool *Pool) isOpen(who tenant.Identity) bool { return pool.IsOpen(who.Folder.Name) }

func TestDrainedPoolRefusesTenants(t *testing.T) {
	t.Parallel()
	pool, of := newTestPool(t)
	pool.callTool(t, of("ann"), "memory_list", object{})
	pool.Drain()
	if _, err := pool.acquire(t.Context(), of("ann")); !errors.Is(err, errShuttingDown) {
		t.Errorf("got %v", err)
	}
}

// A person keeps their folder even if http.oauth.owners gives them another
// name, or none. Nobody else can open it.
func TestRenamedPersonKeepsFolder(t *testing.T) {
	t.Parallel()
	pool, of := newTestPool(t)
	first := of("ann")
	pool.callTool(t, first, "memory_set", object{"key": "theme", "value": "dark"})
	for _, names := range []map[string]string{{"ann": "ann", "bob": "bob"}, {"ann": "anna", "bob": "ann"}, nil} {
		pool.operator.app.Config.HTTP.OAuth.Owners = names // while her instance is open
		if _, output := pool.callTool(t, of("ann"), "memory_get", object{"query": "theme"}); !strings.Contains(output, "dark") {
			t.Errorf("called %s she finds %s", names["ann"], output)
		}
		if _, output := pool.callTool(t, of("bob"), "memory_get", object{"query": "theme"}); strings.Contains(output, "dark") {
			t.Errorf("called %s he finds %s", names["bob"], output)
		}
	}
	if folders, err := pool.operator.app.Registry().Folders(); err != nil || len(folders) != 2 {
		t.Errorf("%d people have %v: %v", 2, folders, err)
	}
	if of("ann").Folder != first.Folder {
		t.Errorf("her folder is %v", of("ann").Folder)
	}
}

// A given name stays after owners no longer names anybody.
func TestGivenNameStaysAfterOwnersChange(t *testing.T) {
	t.Parallel()
	pool, of := newTestPool(t)
	pool.operator.app.Config.HTTP.OAuth.Owners = map[string]string{"ann": "ann"}
	pool.callTool(t, of("ann"), "memory_set", object{"key": "theme", "value": "dark"})
	for _, names := range []map[string]string{nil, {"ann": "anna"}} {
		pool.operator.app.Config.HTTP.OAuth.Owners = names
		if who := of("ann"); who.Folder.Name != "ann" {
			t.Errorf("with %v she is called %s", names, who.Folder.Name)
		}
	}
}

// A folder whose record is damaged is not replaced by an empty one.
func TestDamagedFolderIsNotReplaced(t *testing.T) {
	t.Parallel()
	pool, of := newTestPool(t)
	a := pool.operator.app
	newer := func(raw []byte) []byte { return bytes.Replace(raw, []byte(`"version": 1`), []byte(`"version": 9`), 1) }
	cut := func(raw []byte) []byte { return raw[:len(raw)/2] }
	for name, c := range map[string]struct {
		at, then map[string]string // the names in owners when she first connects, and later
		damage   func([]byte) []byte
	}{
		"nameless":             {nil, nil, cut},
		"named":                {map[string]string{"named": "ann"}, map[string]string{"named": "ann"}, cut},
		"named since":          {nil, map[string]string{"named since": "sue"}, cut},
		"renamed":              {map[string]string{"renamed": "rena"}, map[string]string{"renamed": "renata"}, newer},
		"named by the newer":   {nil, map[string]string{"named by the newer": "newman"}, newer},
		"unnamed by the newer": {map[string]string{"unnamed by the newer": "unna"}, nil, newer},
	} {
		a.Config.HTTP.OAuth.Owners = c.at
		who := of(name)
		pool.callTool(t, who, "memory_list", object{})
		file := filepath.Join(who.Folder.Path, tenant.RecordFile)
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, c.damage(raw), 0o600); err != nil {
			t.Fatal(err)
		}
		pool.operator.app.Config.HTTP.OAuth.Owners = c.then
		if now := of(name); now.Folder != who.Folder || now.Folder.Claim(now.Person, a.Now()) == nil {
			t.Errorf("%s: she had %s, and is led to %s", name, who.Folder.Name, now.Folder.Name)
		}
	}
	a.Config.HTTP.OAuth.Owners = nil
	if folders, err := a.Registry().Folders(); err != nil || len(folders) != 6 {
		t.Errorf("%d folders: %v", len(folders), err)
	}
	if status, output := pool.callTool(t, of("somebody else"), "memory_list", object{}); status != 200 {
		t.Errorf("somebody else: %d %s", status, output)
	}
}
