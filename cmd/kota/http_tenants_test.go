package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/cmd/kota/internal/tenant"
)

// carol runs the server.
const carol = "carol@example.net"

// tenantServer is a server with three people, each with a Google account. Ann
// and Bob connect with tokens of the issuer; Carol runs the server.
type tenantServer struct {
	*testHome
	issuer *testIssuer
	web    *httpServer
	people map[string]*tenantClient // by name
}

// tenantClient is one of them, with what only they know.
type tenantClient struct {
	*httpServer
	name, address, marker string
	session               func(*http.Request)
	mail                  string // the id of a mail
}

func newTenantServer(t *testing.T, lines string) *tenantServer {
	t.Helper()
	h := &tenantServer{testHome: newTestHome(t), issuer: newIssuer(t), people: map[string]*tenantClient{}}
	h.issuer.configure(h.home, "    owners: {sub|ann: ann, sub|bob: bob}\n",
		"google: {tokens: file, endpoint: \""+h.google.URL()+"\"}\nbundles: {memory: on, daily: on, gmail: on, calendar: on}\n"+lines)
	h.storeClient()
	for name, address := range map[string]string{"ann": ann, "bob": bob, "carol": carol} {
		flags := []string{"--owner", name}
		if name == "carol" {
			flags = nil
		}
		if _, _, stderr, status := h.signIn(bundletest.GoogleConsent{User: address}, flags...); status != 0 {
			t.Fatal(stderr)
		}
		g := &tenantClient{name: name, address: address, marker: "zebra" + name}
		g.mail = h.google.User(address).Deliver(bundletest.GoogleMail{From: "News <news@lists.example>", To: address, Subject: "For " + g.marker, Text: g.marker}).ID
		h.google.User(address).AddEvent("primary", hourEvent(9, "Meeting of "+g.marker))
		h.people[name] = g
	}
	h.web, h.clock = startHTTPServer(t, h.home), testTime
	for name, g := range h.people {
		g.httpServer = h.web
		if name != "carol" {
			g.httpServer = h.web.withToken(h.issuer.token("sub|" + name))
		}
		g.session = g.beginSession()
	}
	return h
}

// callTool calls a tool, alternately in a session and without one, and returns the
// whole answer.
func (g *tenantClient) callTool(n int, tool string, args object) string {
	g.t.Helper()
	body, change := toolCall(n, tool, args), g.session
	if n%2 == 0 {
		body, change = modernRequest("tools/call", object{"name": tool, "arguments": args})
	}
	got := g.ask(http.MethodPost, body, change)
	if got.status != http.StatusOK {
		g.t.Errorf("%s: %s: %d %s", g.name, tool, got.status, got.body)
	}
	return got.body
}

// answerOf returns the answer of a call, its text parsed into an object.
func (g *tenantClient) answerOf(n int, tool string, args object) object {
	g.t.Helper()
	output := g.callTool(n, tool, args)
	var answer struct {
		Result struct{ Content []struct{ Text string } }
	}
	lines := strings.Split(strings.TrimSpace(output), "data: ") // after any notifications
	var of object
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &answer); err != nil || len(answer.Result.Content) == 0 || json.Unmarshal([]byte(answer.Result.Content[0].Text), &of) != nil {
		g.t.Fatalf("%s: %s: %v %s", g.name, tool, err, output)
	}
	return of
}

// Three people at once, in both eras, see only their own data.
func TestTenantsSeeOnlyTheirOwnData(t *testing.T) {
	t.Parallel()
	h := newTenantServer(t, "")
	const rounds = 12
	answers := map[string]*strings.Builder{}
	var all sync.WaitGroup
	for name, g := range h.people {
		output := &strings.Builder{}
		answers[name] = output
		all.Go(func() {
			for n := range rounds {
				key := fmt.Sprint("key", n)
				for _, call := range []struct {
					tool string
					args object
				}{
					{"memory_set", object{"key": key, "value": g.marker + " likes tea"}}, // the same keys for all
					{"daily_log", object{"text": fmt.Sprint("walked with ", g.marker, n)}},
					{"memory_get", object{"query": "who likes tea"}},
					{"memory_list", object{}},
					{"daily_get", object{}},
					{"gmail_search_messages", object{"from": "news@lists.example"}},
					{"gmail_list_accounts", object{}},
					{"calendar_list_events", object{"from": someday, "to": someday}},
				} {
					answer := g.callTool(n, call.tool, call.args)
					if output.WriteString(answer); !strings.Contains(answer, g.marker) && !strings.Contains(answer, g.address) && !strings.HasSuffix(call.tool, "_log") && !strings.HasSuffix(call.tool, "_set") {
						t.Errorf("%s: %s does not show what is theirs: %s", name, call.tool, answer)
					}
				}
			}
		})
	}
	all.Wait()
	for name, output := range answers {
		for other, g := range h.people {
			if other != name && (strings.Contains(output.String(), g.marker) || strings.Contains(output.String(), g.address)) {
				t.Errorf("%s sees what is %s's", name, other)
			}
		}
	}
	h.web.stop()
	h.checkFilesSeparate()
	for name, owner := range map[string][]string{"ann": {"--owner", "ann"}, "bob": {"--owner", "bob"}, "carol": nil} {
		stored, logged := h.must(append([]string{"call", "memory_list"}, owner...)...), h.must(append([]string{"audit", "list", "--json"}, owner...)...)
		if n := strings.Count(logged, `"memory_set"`); n != rounds || !strings.Contains(stored, h.people[name].marker) {
			t.Errorf("%s's log has %d calls of memory_set, want %d; kept is %s", name, n, rounds, stored)
		}
		h.must(append([]string{"audit", "verify"}, owner...)...)
	}
}

// checkFilesSeparate looks in every file for other people's data.
func (h *tenantServer) checkFilesSeparate() {
	h.t.Helper()
	looked := 0
	err := filepath.WalkDir(h.home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(h.home, path)
		owner := "carol"
		if parts := strings.Split(rel, string(filepath.Separator)); parts[0] == "owners" {
			owner = parts[1]
		}
		raw, err := os.ReadFile(path)
		for name, g := range h.people {
			if strings.Contains(string(raw), g.marker) {
				if looked++; name != owner {
					h.t.Errorf("%s has what is %s's", rel, name)
				}
			}
		}
		return err
	})
	if err != nil || looked < 3 {
		h.t.Errorf("%d files have what people said: %v", looked, err)
	}
}

// One person's ids do not exist for others.
func TestIDsOfOneTenantDoNotExistForAnother(t *testing.T) {
	t.Parallel()
	h := newTenantServer(t, "limits: {changes_per_hour: 1}\n")
	a, b := h.people["ann"], h.people["bob"]

	list := `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
		body := ""
		if method == http.MethodPost {
			body = list
		}
		foreign, none := b.ask(method, body, a.session), b.ask(method, body, header("Mcp-Session-Id", "made-up"))
		if foreign.status != 404 || foreign.body != none.body {
			t.Errorf("%s in another's session: %d %s; want what one that there is not has: %s", method, foreign.status, foreign.body, none.body)
		}
	}
	if got := a.ask(http.MethodPost, list, a.session); got.status != 200 {
		t.Errorf("the session is no longer its own: %d", got.status)
	}

	// checkUnknown checks that b gets the same answer for a's id as for an unknown
	// one, and that a has it.
	checkUnknown := func(tool string, with func(id string) object, id string) {
		t.Helper()
		none := otherID(id)
		foreign, never := b.callTool(1, tool, with(id)), b.callTool(1, tool, with(none))
		if strings.ReplaceAll(foreign, id, none) != never || !strings.Contains(never, "NOT_FOUND") || strings.Contains(never, "TOOL_NOT_FOUND") {
			t.Errorf("%s of another's: %s\nof none: %s", tool, foreign, never)
		}
		if own := a.callTool(1, tool, with(id)); strings.Contains(own, "NOT_FOUND") || strings.Contains(own, "VALIDATION_ERROR") {
			t.Errorf("%s of one's own: %s", tool, own)
		}
	}
	undo := func(id string) object { return object{"undo_id": id} }
	event := a.answerOf(2, "calendar_create_event", object{"title": "Tea", "start": someday + "T10:00"})
	checkUnknown("gmail_get_message", func(id string) object { return object{"ids": []string{id}} }, a.mail)
	checkUnknown("calendar_get_event", func(id string) object { return object{"event_id": id} }, event["event"].(object)["event_id"].(string))
	checkUnknown("memory_restore", undo, a.answerOf(1, "memory_set", object{"key": "tea", "value": "green"})["undo_id"].(string))
	checkUnknown("daily_edit", undo, a.answerOf(1, "daily_log", object{"text": "had tea"})["undo_id"].(string))
	checkUnknown("calendar_undo", undo, event["undo_id"].(string))

	if code := a.answerOf(3, "calendar_create_event", object{"title": "More", "start": someday + "T11:00"})["error"]; code != "RATE_LIMITED" {
		t.Errorf("her second change: %v, want RATE_LIMITED", code)
	}
	if code := b.answerOf(3, "calendar_create_event", object{"title": "Coffee", "start": someday + "T11:00"})["error"]; code != nil {
		t.Errorf("his first change: %v; her limit is his", code)
	}

	waiting := a.answerOf(4, "gmail_send_message", object{"to": []string{bob}, "subject": "Rolls", "body": "At ten."})
	pending, _ := waiting["approval_id"].(string)
	if pending == "" {
		t.Fatalf("her mail does not wait: %v", waiting)
	}
	if hint := fmt.Sprint(waiting["hint"]); !strings.Contains(hint, "`kota approve "+pending+" --owner ann`") || strings.Count(hint, "--owner") != 1 {
		t.Errorf("it is not said whose it is: %s", hint)
	}
	for _, owner := range [][]string{{"--owner", "bob"}, nil} {
		if _, stderr, status := h.run(append([]string{"approve", pending, "--yes"}, owner...)...); status == 0 || !strings.Contains(stderr, pending) {
			t.Errorf("%v approves it: %d %s", owner, status, stderr)
		}
		if pending := h.must(append([]string{"pending", "--json"}, owner...)...); strings.Contains(pending, "Rolls") {
			t.Errorf("%v sees it wait", owner)
		}
	}
	h.must("approve", pending, "--yes", "--owner", "ann")
	if sentByAnn, sentByBob := len(h.google.User(ann).Sent()), len(h.google.User(bob).Sent()); sentByAnn != 1 || sentByBob != 0 {
		t.Errorf("%d mails are sent from hers and %d from his, want 1 and none", sentByAnn, sentByBob)
	}
	h.web.stop()
}

// otherID returns an id of the same form that does not exist.
func otherID(id string) string {
	last := id[len(id)-1]
	for _, other := range []byte("a0b1") {
		if other != last {
			return id[:len(id)-1] + string(other)
		}
	}
	return id
}

// A client is notified only of writes for its own user.
func TestNotificationsStayWithinTenant(t *testing.T) {
	t.Parallel()
	h := newTenantServer(t, "")
	notifications := map[string]<-chan string{}
	for _, name := range []string{"ann", "bob"} {
		g := h.people[name]
		for n, key := range []string{"theme", "last"} {
			g.ask(http.MethodPost, fmt.Sprintf(`{"jsonrpc":"2.0","id":"s%d","method":"resources/subscribe","params":{"uri":"memory://%s"}}`, n, key), g.session)
		}
		notifications[name] = g.listen(t)
	}
	h.people["ann"].callTool(1, "memory_set", object{"key": "theme", "value": "dark"})
	if got := nextNotification(t, notifications["ann"]); !strings.Contains(got, "memory://theme") {
		t.Errorf("she hears %s of what she wrote", got)
	}
	h.people["bob"].callTool(1, "memory_set", object{"key": "last", "value": "1"})
	if got := nextNotification(t, notifications["bob"]); !strings.Contains(got, "memory://last") {
		t.Errorf("he hears %s, want what he wrote himself", got)
	}
	h.web.stop()
}

// nextNotification returns the next notification, or "" if none comes.
func nextNotification(t *testing.T, notifications <-chan string) string {
	t.Helper()
	select {
	case got := <-notifications:
		return got
	case <-time.After(time.Minute):
		t.Error("nothing is heard")
		return ""
	}
}

// listen returns the notifications on the stream of the session, as they
// arrive.
func (g *tenantClient) listen(t *testing.T) <-chan string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, g.url, nil)
	if err != nil {
		t.Fatal(err)
	}
	changeAll(g.session, header("Authorization", "Bearer "+g.token), header("Accept", "text/event-stream"))(r)
	stream, err := http.DefaultClient.Do(r)
	if err != nil || stream.StatusCode != http.StatusOK {
		t.Fatal(stream, err)
	}
	notifications := make(chan string, 16)
	go func() {
		defer stream.Body.Close()
		defer close(notifications)
		for lines := bufio.NewScanner(stream.Body); lines.Scan(); {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				notifications <- data
			}
		}
	}()
	return notifications
}

// A cursor is a position in a list, and the list is always the caller's own.
func TestCursorShowsOnlyOwnList(t *testing.T) {
	t.Parallel()
	h := newTenantServer(t, "")
	a, b := h.people["ann"], h.people["bob"]
	for n, g := range []*tenantClient{a, a, a, b, b, b} {
		g.callTool(n, "memory_set", object{"key": fmt.Sprint(g.marker, n), "value": g.marker})
		h.google.User(g.address).Deliver(bundletest.GoogleMail{From: "News <news@lists.example>", To: g.address, Subject: "More for " + g.marker, Text: g.marker})
		h.google.User(g.address).AddEvent("primary", hourEvent(10+n, "More of "+g.marker))
	}
	for tool, args := range map[string]object{
		"memory_list":           {"limit": 1},
		"gmail_search_messages": {"from": "news@lists.example", "limit": 1},
		"gmail_list_changes":    {},
		"calendar_list_events":  {"from": someday, "limit": 1},
		"calendar_list_changes": {},
	} {
		first := a.answerOf(1, tool, args)
		cursor := cmp.Or(first["next_cursor"], first["cursor"])
		if cursor == nil {
			t.Fatalf("%s gives no cursor: %v", tool, first)
		}
		args["cursor"] = cursor
		output := b.callTool(1, tool, args)
		if strings.Contains(output, a.marker) || strings.Contains(output, a.address) {
			t.Errorf("%s by her cursor shows him what is hers: %s", tool, output)
		}
		if tool != "memory_list" && (!strings.Contains(output, "VALIDATION_ERROR") || !strings.Contains(output, "the cursor of an answer from "+tool)) {
			t.Errorf("%s by her cursor: %s", tool, output)
		}
		if output := a.callTool(1, tool, args); strings.Contains(output, `"error"`) || strings.Contains(output, "VALIDATION_ERROR") {
			t.Errorf("%s by her cursor for herself: %s", tool, output)
		}
	}
	h.web.stop()
}

// A problem with one person's data affects nobody else.
func TestBrokenTenantAffectsNobodyElse(t *testing.T) {
	t.Parallel()
	i, home := newIssuer(t), filepath.Join(t.TempDir(), "home")
	i.configure(home, "    owners: {a: ann, b: bob, c: cem, d: dan}\n", "")
	folder := func(name string) string { return filepath.Join(home, "owners", name) }
	for name, file := range map[string]struct{ path, text string }{
		"ann": {tenant.RecordFile, `{"version":1,"issuer":"` + i.url + `","subject":"somebody else"}`},
		"bob": {tenant.RecordFile, "{"},
		"cem": {"kota.db", strings.Repeat("not a database ", 100)},
	} {
		if err := os.MkdirAll(folder(name), 0o700); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(folder(name), file.path), []byte(file.text))
	}
	w := startHTTPServer(t, home)
	get, headers := modernRequest("tools/call", object{"name": "memory_set", "arguments": object{"key": "theme", "value": "dark"}})
	for subject, want := range map[string]struct {
		status int
		says   string
	}{
		"a": {503, "its log has the reason"}, "b": {503, "its log has the reason"}, "c": {200, "UNAVAILABLE"}, "d": {200, "created"}, "e": {403, "can add you"},
	} {
		got := w.withToken(i.token(subject)).ask(http.MethodPost, get, headers)
		if got.status != want.status || !strings.Contains(got.body, want.says) || strings.Contains(got.body, "somebody else") {
			t.Errorf("%s: got %d %s, want %d and %s", subject, got.status, got.body, want.status, want.says)
		}
	}
	if got := w.ask(http.MethodPost, get, headers); got.status != 200 || !strings.Contains(got.body, "created") {
		t.Errorf("who runs it: %d %s", got.status, got.body)
	}
	log := w.stop()
	for _, text := range []string{"belongs to another person", "does not name the owner", "subject=e"} {
		if !strings.Contains(log, text) {
			t.Errorf("the log lacks %q: %s", text, log)
		}
	}
	if raw, err := os.ReadFile(filepath.Join(folder("bob"), tenant.RecordFile)); err != nil || string(raw) != "{" {
		t.Errorf("what was broken was written over: %s %v", raw, err)
	}
}
