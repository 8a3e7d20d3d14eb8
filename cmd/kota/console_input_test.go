package main

import (
	"context"
	"database/sql"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/cmd/kota/internal/console/access"
)

// startConsole starts an HTTP server on the home, and signs in to its console.
func (d *testHome) startConsole() (*httpServer, *consoleVisitor) {
	d.t.Helper()
	w := startHTTPServer(d.t, d.home)
	return w, visitConsole(d.t, remoteLink(d.t, d.home, strings.TrimSuffix(w.url, "/mcp")))
}

// consolePages are the pages of the navigation.
var consolePages = []string{"", "approvals", "memory", "diary", "sent", "use", "try"}

func TestAnOldLinkToTheConsoleIsRefused(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	w := startHTTPServer(t, d.home)
	for name, old := range map[string]struct {
		age  time.Duration
		key  string
		want int
	}{
		"a minute old":       {61 * time.Second, w.token, http.StatusUnauthorized},
		"of another token":   {0, strings.Repeat("x", 40), http.StatusNotFound},
		"half a minute old":  {30 * time.Second, w.token, http.StatusOK},
		"from years to come": {-1000 * 24 * time.Hour, w.token, http.StatusOK}, // who has the token can make any link
	} {
		gate, err := access.New([]byte(old.key), func() time.Time { return time.Now().Add(-old.age) }, nil)
		if err != nil {
			t.Fatal(err)
		}
		address, key, _ := strings.Cut(gate.Link(strings.TrimSuffix(w.url, "/mcp"), ""), "?k=")
		client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		response, err := client.PostForm(address, url.Values{"k": {key}})
		status, page := read(t, response, err)
		if status == http.StatusSeeOther {
			status = http.StatusOK
		}
		if status != old.want || old.want == http.StatusUnauthorized && !strings.Contains(page, "valid for a minute") {
			t.Errorf("a link %s: %d %.600s", name, status, page)
		}
	}
}

// A form says which page comes next. It never leads out of the console.
func TestTheConsoleRedirectsOnlyToItself(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t, "daily: on", "memory: on", "gmail: on")
	_, v := d.startConsole()
	v.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	home := mustURL(t, v.home)
	token := formToken.FindStringSubmatch(func() string { _, page := v.get("approvals"); return page }())[1]
	for _, next := range []string{
		"//evil.example", "https://evil.example", "https:evil.example", `\\evil.example`, `/\evil.example`, "/../../evil", "../../evil", "..", "%2e%2e/%2e%2e", "%2e%2e%2f%2e%2e",
		"diary/..", "diary/../..", "javascript:alert(1)", "data:text/html,x", "@evil.example", ".evil.example", "\t//evil.example", "\r\nX-Evil: 1", "diary\r\nX-Evil: 1", "diary?next=//evil.example",
		"diary#x", "", "diary", "diary/2026-11-01", "memory/a%2Fb",
	} {
		response, err := v.PostForm(v.home+"tasks", url.Values{"form": {token}, "op": {"add"}, "text": {"x"}, "next": {next}})
		if status, page := read(t, response, err); status != http.StatusSeeOther {
			t.Fatalf("next=%q: %d %.600s", next, status, page)
		}
		at, err := home.Parse(response.Header.Get("Location"))
		if err != nil || at.Host != home.Host || at.Scheme != home.Scheme || !strings.HasPrefix(at.EscapedPath(), home.Path) || response.Header.Get("X-Evil") != "" {
			t.Errorf("next=%q leads to %v (%v)", next, at, err)
		}
	}
	response, err := v.Get(v.home + "diary/go?date=..%2F..%2Fevil")
	read(t, response, err)
	if at, err := home.Parse(response.Header.Get("Location")); err != nil || !strings.HasPrefix(at.EscapedPath(), home.Path) {
		t.Errorf("a date leads to %v (%v)", at, err)
	}
}

func TestTheConsoleRefusesBadForms(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t, "daily: on", "memory: on", "gmail: on")
	_, v := d.startConsole()
	for _, path := range []string{"remember", "tasks", "diary", "undo", "approvals/a_none", "memory/x", "sent/x", "try/memory_set", "in", "out"} {
		response, err := v.PostForm(v.home+path, url.Values{"form": {"x"}, "text": {strings.Repeat("x", 10<<20)}})
		if status, page := read(t, response, err); status != http.StatusRequestEntityTooLarge || !strings.Contains(page, "2 MB") {
			t.Errorf("10 MB to %s: %d %.600s", path, status, page)
		}
		for name, fields := range map[string]url.Values{"nothing": {}, "an unknown act": {"act": {"x"}, "op": {"x"}}, "invalid UTF-8": {"act": {"\xff"}, "text": {"\xff\x00"}}} {
			if path == "in" || path == "out" {
				continue
			}
			if status, page := v.post(path, fields); status >= 500 || !strings.Contains(page, "nothing was done") && status != http.StatusUnprocessableEntity && status != http.StatusNotFound {
				t.Errorf("%s to %s: %d %.600s", name, path, status, page)
			}
		}
	}
	if text := d.must("call", "memory_list"); strings.Contains(text, `"key"`) {
		t.Errorf("something was stored: %s", text)
	}
}

// While Google is down, every page answers and says what could not be read.
func TestConsoleWhileGoogleIsDown(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t, "daily: on", "memory: on", "gmail: on", "calendar: on")
	_, v := d.startConsole()
	d.google.Fault(bundletest.GoogleFault{Status: http.StatusServiceUnavailable})
	for _, path := range consolePages {
		if status, page := v.get(path); status != http.StatusOK {
			t.Errorf("%s: %d %.600s", path, status, page)
		}
	}
	_, today := v.get("")
	for _, what := range []string{"Agenda", "Unread mail"} {
		_, after, _ := strings.Cut(today, "<h2>"+what)
		if part, _, _ := strings.Cut(after, "</section>"); !strings.Contains(part, `class="note"`) {
			t.Errorf("%s says nothing of Google: %s", what, part)
		}
	}
}

// A database that another program keeps locked can be read. A change fails with a sentence.
func TestConsoleWithLockedDatabase(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t, "daily: on", "memory: on", "gmail: on")
	d.must("call", "memory_set", "key=tea", "value=green")
	_, v := d.startConsole()
	v.get("memory")
	db, err := sql.Open("sqlite", filepath.Join(d.home, "kota.db"))
	mustSucceed(t, err)
	defer db.Close()
	other, err := db.Conn(context.Background())
	mustSucceed(t, err)
	_, err = other.ExecContext(t.Context(), "BEGIN EXCLUSIVE")
	mustSucceed(t, err)
	for _, path := range consolePages {
		if status, page := v.get(path); status != http.StatusOK {
			t.Errorf("%s: %d %.600s", path, status, page)
		}
	}
	if _, page := v.get("memory/tea"); !strings.Contains(page, "green") {
		t.Errorf("the memory: %s", page)
	}
	if sampleSize(0, 1) == 0 {
		t.Skip("a change waits for half a minute: checked by `make torture`")
	}
	if status, page := v.post("remember", url.Values{"key": {"coffee"}, "value": {"black"}}); status != http.StatusServiceUnavailable || !strings.Contains(page, "another program has locked") {
		_, text, _ := strings.Cut(page, "<h1>")
		t.Errorf("a change: %d %s", status, text)
	}
	_, err = other.ExecContext(t.Context(), "ROLLBACK")
	mustSucceed(t, err)
	if status, page := v.post("remember", url.Values{"key": {"coffee"}, "value": {"black"}}); status != http.StatusOK {
		t.Errorf("a change after the lock: %d %.600s", status, page)
	}
}
