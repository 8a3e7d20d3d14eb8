package main

import (
	"bufio"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"kota/store/postgres/pgtest"
)

// consoleVisitor is a browser that is signed in to a console.
type consoleVisitor struct {
	*http.Client
	t    testing.TB
	home string // the address of the console
}

// visitConsole signs in by a link.
func visitConsole(t testing.TB, link string) *consoleVisitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	address, key, _ := strings.Cut(link, "in?k=")
	v := &consoleVisitor{&http.Client{Jar: jar}, t, address}
	response, err := v.PostForm(address+"in", url.Values{"k": {key}})
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Fatalf("signing in at %s: %s", link, response.Status)
	}
	return v
}

// get returns the status of a page and its text.
func (v *consoleVisitor) get(path string) (int, string) {
	v.t.Helper()
	response, err := v.Get(v.home + path)
	if err != nil {
		v.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

var formToken = regexp.MustCompile(`name="form" value="([^"]+)"`)

// post sends the form of a page with these fields.
func (v *consoleVisitor) post(path string, fields url.Values) (int, string) {
	v.t.Helper()
	_, page := v.get("approvals")
	token := formToken.FindStringSubmatch(page)
	if token == nil {
		v.t.Fatalf("the page has no form: %s", page)
	}
	fields.Set("form", token[1])
	response, err := v.PostForm(v.home+path, fields)
	if err != nil {
		v.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

// remoteLink returns a link to the console of a server.
func remoteLink(t *testing.T, home, server string) string {
	t.Helper()
	return strings.TrimSpace(runKota(t, home, nil, 0, "console", "--no-browser", "--remote", server))
}

func TestTheHTTPServerServesTheConsole(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	w := startHTTPServer(t, d.home)
	server := strings.TrimSuffix(w.url, "/mcp")
	if response, err := http.Get(server + "/console"); err != nil || response.StatusCode != http.StatusNotFound {
		t.Fatalf("without the secret path: %v, %v", response, err)
	}
	v := visitConsole(t, remoteLink(t, d.home, server))
	for _, path := range []string{"approvals%2F*", "approvals/", "approvals/a/b", "memory/", "nothing", "%2F", "approvals/a_none"} {
		if status, page := v.get(path); status != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, status, page)
		}
	}
	id := d.mustPend("gmail_send_message", object{"to": []string{bob}, "subject": "Rolls", "body": "At ten."})
	if status, page := v.get("approvals"); status != http.StatusOK || !strings.Contains(page, id) {
		t.Errorf("the approvals: %d %s", status, page)
	}
	if status, page := v.post("approvals/"+id, url.Values{"act": {"approve"}}); status != http.StatusOK || !strings.Contains(page, "approved and done") {
		t.Errorf("approving: %d %s", status, page)
	}
	d.checkSent(1, "after the approval")

	stream, err := v.Get(v.home + "live")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	lines := bufio.NewScanner(stream.Body)
	lines.Scan()
	if lines.Text() != "retry: 1000" {
		t.Errorf("the stream begins with %q", lines.Text())
	}
	// A new token ends every session.
	runKota(t, d.home, nil, 0, "http", "token", "--new")
	if status, _ := v.get("approvals"); status != http.StatusNotFound && status != http.StatusUnauthorized {
		t.Errorf("with the old token: %d", status)
	}
	visitConsole(t, remoteLink(t, d.home, server))
	// The stream does not keep the server from ending.
	began := time.Now()
	go w.stop()
	for lines.Scan() {
	}
	<-w.ended
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("it ended after %v", took)
	}
}

// Two replicas serve one session, and a link works once at all of them.
func TestReplicasShareConsoleSessions(t *testing.T) {
	t.Parallel()
	d := newReplicaHome(t, pgtest.Start(t))
	first, second := d.start(d.database, d.google.URL()), d.start(d.database, d.google.URL())
	link := remoteLink(t, d.home, strings.TrimSuffix(first.url, "/mcp"))
	v := visitConsole(t, link)
	elsewhere := strings.TrimSuffix(second.url, "/mcp") + mustURL(t, v.home).Path
	address, key, _ := strings.Cut(link, "in?k=")
	response, err := http.PostForm(elsewhere+"in", url.Values{"k": {key}})
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusUnauthorized {
		t.Errorf("the link of %s at the other replica: %s", address, response.Status)
	}
	// A cookie jar ignores ports, as browsers do.
	v.home = elsewhere
	if status, page := v.get("memory"); status != http.StatusOK {
		t.Errorf("the session at the other replica: %d %s", status, page)
	}
}

func mustURL(t testing.TB, address string) *url.URL {
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// The user changes a mail before approving it. Exactly the changed mail is sent, once, and the
// assistant that repeats its call learns what was sent.
func TestAMailIsChangedAndApproved(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	w := startHTTPServer(t, d.home)
	v := visitConsole(t, remoteLink(t, d.home, strings.TrimSuffix(w.url, "/mcp")))
	asked := object{"to": []string{bob}, "subject": "Rolls", "body": "At ten."}
	id := d.mustPend("gmail_send_message", asked)

	for name, fields := range map[string]url.Values{
		"nothing changed": {"act": {"edit"}, "text-subject": {"Rolls"}, "text-body": {"At ten."}},
		"no act":          {"text-subject": {"Rolls"}, "text-body": {"At nine."}},
	} {
		if status, page := v.post("approvals/"+id, fields); status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %s", name, status, page)
		}
	}
	d.checkSent(0, "before the approval")
	changed := url.Values{"act": {"edit"}, "text-subject": {"Rolls"}, "text-body": {"At nine.\r\nBring jam."}, "text-to": {"eve@example.net"}}
	if status, page := v.post("approvals/"+id, changed); status != http.StatusOK || !strings.Contains(page, "approved and done") {
		t.Fatalf("changing it: %d %s", status, page)
	}
	d.checkSent(1, "after the approval")
	if sent := d.google.User(ann).Sent()[0]; !strings.Contains(strings.ReplaceAll(sent.Text(), "\r\n", "\n"), "At nine.\nBring jam.") || sent.Header("To") != bob || sent.Header("Cc") != "" {
		t.Errorf("sent was %q to %q", sent.Text(), sent.Header("To"))
	}
	if status, page := v.post("approvals/"+id, url.Values{"act": {"approve"}}); status != http.StatusConflict {
		t.Errorf("once more: %d %s", status, page)
	}
	stdout, stderr, status := d.run("call", "gmail_send_message", mustJSON(t, asked))
	if status != 0 || !strings.Contains(stderr, "The user changed this call") || !strings.Contains(stderr, "Bring jam.") {
		t.Errorf("the repeated call ends with %d: %s%s", status, stdout, stderr)
	}
	d.checkSent(1, "after the call was repeated")
	if left := d.pending(); len(left) != 0 {
		t.Errorf("pending are %+v", left)
	}
}
