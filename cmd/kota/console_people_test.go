package main

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
)

// proxied sends requests to https://kota.example.com to a server on this machine, as a proxy
// does.
type proxied struct{ server *url.URL }

func (p proxied) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host == "kota.example.com" {
		r = r.Clone(r.Context())
		r.Host, r.URL.Host, r.URL.Scheme = r.URL.Host, p.server.Host, p.server.Scheme
		r.Header.Set("X-Forwarded-Proto", "https")
	}
	return http.DefaultTransport.RoundTrip(r)
}

// publicConsole is the console's public address.
const publicConsole = "https://kota.example.com/console"

// newVisitor returns a browser that reaches the server by its public address.
func newVisitor(t *testing.T, w *httpServer) *http.Client {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar, Transport: proxied{mustURL(t, w.url)}}
}

func read(t testing.TB, response *http.Response, err error) (int, string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

// signInAt signs a person in to the console by the issuer.
func (i *testIssuer) signInAt(w *httpServer, subject string) *consoleVisitor {
	i.t.Helper()
	i.mu.Lock()
	i.subject = subject
	i.mu.Unlock()
	browser := newVisitor(i.t.(*testing.T), w)
	response, err := browser.Get(publicConsole)
	status, page := read(i.t.(*testing.T), response, err)
	_, path, found := strings.Cut(page, `href="/console/`)
	for found && strings.HasPrefix(path[strings.Index(path, "/")+1:], "static") { // the style sheet and the icon
		_, path, found = strings.Cut(path, `href="/console/`)
	}
	path, _, _ = strings.Cut(path, `"`)
	if status != http.StatusOK || !found || !strings.Contains(page, "You are signed in") {
		i.t.Fatalf("signing in %s: %d %s", subject, status, page)
	}
	return &consoleVisitor{browser, i.t, publicConsole + "/" + path}
}

// People sign in to their own consoles, and see nothing of one another.
func TestPeopleSignInToTheConsole(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	home := t.TempDir()
	w := i.serve(home, "    console_client: kota-console\n    owners: {ann: ann, bob: bob}\n", "")
	runKota(t, home, nil, 0, "call", "memory_set", "key=of the operator", "value=x")
	ann := i.signInAt(w, "ann")
	if status, page := ann.post("remember", url.Values{"key": {"of ann"}, "value": {"tea"}}); status != http.StatusOK || !strings.Contains(page, "tea") {
		t.Fatalf("Ann's memory: %d %s", status, page)
	}
	bob := i.signInAt(w, "bob")
	for name, page := range map[string]string{"memory": "", "memory?q=tea": ""} {
		if _, page = bob.get(name); strings.Contains(page, "of ann") || strings.Contains(page, "of the operator") {
			t.Errorf("Bob sees on %s: %s", name, page)
		}
	}
	if status, page := bob.get("memory/of%20ann"); status != http.StatusNotFound {
		t.Errorf("Bob asks for Ann's memory: %d %s", status, page)
	}
	if _, page := ann.get("memory"); !strings.Contains(page, "of ann") || strings.Contains(page, "of the operator") {
		t.Errorf("Ann sees: %s", page)
	}
}

func TestConsoleSignInsAreRefused(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	w := i.serve(t.TempDir(), "    console_client: kota-console\n    owners: {ann: ann}\n", "")
	noRedirect := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	begin := func(browser *http.Client) (state string) {
		browser.CheckRedirect = noRedirect
		response, err := browser.Get(publicConsole)
		if status, page := read(t, response, err); status != http.StatusFound {
			t.Fatalf("%d %s", status, page)
		}
		at := mustURL(t, response.Header.Get("Location"))
		browser.CheckRedirect = nil
		return at.Query().Get("state")
	}
	callback := func(browser *http.Client, query url.Values) (int, string) {
		response, err := browser.Get(publicConsole + "/callback?" + query.Encode())
		return read(t, response, err)
	}
	victim, attacker := newVisitor(t, w), newVisitor(t, w)
	begin(victim)
	for name, query := range map[string]url.Values{
		"another browser's state": {"code": {"code-1"}, "state": {begin(attacker)}},
		"no state":                {"code": {"code-1"}},
		"an invented state":       {"code": {"code-1"}, "state": {"AAAA"}},
	} {
		if status, page := callback(victim, query); status != http.StatusUnauthorized {
			t.Errorf("%s: %d %s", name, status, page)
		}
		begin(victim)
	}
	if status, page := callback(newVisitor(t, w), url.Values{"code": {"code-1"}, "state": {begin(victim)}}); status != http.StatusUnauthorized {
		t.Errorf("a browser that did not begin: %d %s", status, page)
	}
	if status, page := callback(victim, url.Values{"error": {"access_denied"}, "state": {begin(victim)}}); status != http.StatusForbidden {
		t.Errorf("a refusal of the issuer: %d %s", status, page)
	}
	if status, page := callback(victim, url.Values{"code": {"another code"}, "state": {begin(victim)}}); status != http.StatusForbidden || strings.Contains(page, "invalid_grant") {
		t.Errorf("a code that is not valid: %d %s", status, page)
	}
	i.subject = "eve"
	response, err := newVisitor(t, w).Get(publicConsole)
	if status, page := read(t, response, err); status != http.StatusForbidden || !strings.Contains(page, "does not serve you") {
		t.Errorf("a person who is not admitted: %d %s", status, page)
	}
	i.down.Store(true)
	response, err = newVisitor(t, w).Get(publicConsole)
	if status, page := read(t, response, err); status != http.StatusServiceUnavailable || !strings.Contains(page, "cannot be reached") {
		t.Errorf("the issuer is down: %d %s", status, page)
	}
}
