package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"kota/bundles/bundletest"
)

// carol is who runs the server.
const carol = "carol@example.net"

// A household is a server with three people, each with a Google account of their
// own: Ann and Bob come by the issuer, Carol runs it.
type household struct {
	*desk
	issuer *testIssuer
	web    *website
	people map[string]*guest // by name
}

// A guest is one of them, with what only they know.
type guest struct {
	*website
	name, address, mark string
	session             func(*http.Request)
	mail                string // the id of one
}

func newHousehold(t *testing.T, lines string) *household {
	t.Helper()
	h := &household{desk: newDesk(t), issuer: newIssuer(t), people: map[string]*guest{}}
	h.issuer.configure(h.home, "    owners: {sub|ann: ann, sub|bob: bob}\n",
		"google: {tokens: file, endpoint: \""+h.google.URL()+"\"}\nbundles: {memory: on, daily: on, gmail: on, calendar: on}\n"+lines)
	h.client()
	for name, address := range map[string]string{"ann": ann, "bob": bob, "carol": carol} {
		flags := []string{"--owner", name}
		if name == "carol" {
			flags = nil
		}
		if _, _, stderr, status := h.signIn(bundletest.GoogleConsent{User: address}, flags...); status != 0 {
			t.Fatal(stderr)
		}
		g := &guest{name: name, address: address, mark: "zebra" + name}
		g.mail = h.google.User(address).Deliver(bundletest.GoogleMail{From: "News <news@lists.example>", To: address, Subject: "For " + g.mark, Text: g.mark}).ID
		h.google.User(address).AddEvent("primary", at(9, "Meeting of "+g.mark))
		h.people[name] = g
	}
	h.web, h.clock = serveWeb(t, h.home), theTime
	for name, g := range h.people {
		g.website = h.web
		if name != "carol" {
			g.website = h.web.as(h.issuer.token("sub|" + name))
		}
		g.session = g.begin()
	}
	return h
}

// calls calls a tool, by turns in a session and in the era without, and returns
// all that is answered.
func (g *guest) calls(n int, tool string, args object) string {
	g.t.Helper()
	body, change := toolCall(n, tool, args), g.session
	if n%2 == 0 {
		body, change = modern("tools/call", object{"name": tool, "arguments": args})
	}
	got := g.ask(http.MethodPost, body, change)
	if got.status != http.StatusOK {
		g.t.Errorf("%s: %s: %d %s", g.name, tool, got.status, got.body)
	}
	return got.body
}

// of is what a call answered, its text parsed into an object.
func (g *guest) of(n int, tool string, args object) object {
	g.t.Helper()
	said := g.calls(n, tool, args)
	var answer struct {
		Result struct{ Content []struct{ Text string } }
	}
	lines := strings.Split(strings.TrimSpace(said), "data: ") // what notes come first
	var of object
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &answer); err != nil || len(answer.Result.Content) == 0 || json.Unmarshal([]byte(answer.Result.Content[0].Text), &of) != nil {
		g.t.Fatalf("%s: %s: %v %s", g.name, tool, err, said)
	}
	return of
}

// Three people at once, in both eras, see what is theirs alone.
func TestPeopleSeeWhatIsTheirsAlone(t *testing.T) {
	t.Parallel()
	h := newHousehold(t, "")
	const rounds = 12
	answers := map[string]*strings.Builder{}
	var all sync.WaitGroup
	for name, g := range h.people {
		said := &strings.Builder{}
		answers[name] = said
		all.Go(func() {
			for n := range rounds {
				key := fmt.Sprint("key", n)
				for _, call := range []struct {
					tool string
					args object
				}{
					{"memory_set", object{"key": key, "value": g.mark + " likes tea"}}, // the same keys for all
					{"daily_log", object{"text": fmt.Sprint("walked with ", g.mark, n)}},
					{"memory_get", object{"query": "who likes tea"}},
					{"memory_list", object{}},
					{"daily_get_day", object{}},
					{"gmail_search_messages", object{"query": "zebra"}},
					{"gmail_list_accounts", object{}},
					{"calendar_list_events", object{"from": someday, "to": someday}},
				} {
					said.WriteString(g.calls(n, call.tool, call.args))
				}
			}
		})
	}
	all.Wait()
	for name, said := range answers {
		if n := strings.Count(said.String(), h.people[name].mark); n < 6*rounds {
			t.Errorf("%s sees what is theirs %d times: %.2000s", name, n, said)
		}
		for other, g := range h.people {
			if other != name && (strings.Contains(said.String(), g.mark) || strings.Contains(said.String(), g.address)) {
				t.Errorf("%s sees what is %s's", name, other)
			}
		}
	}
	h.web.end()
	h.keepsApart()
	for name, owner := range map[string][]string{"ann": {"--owner", "ann"}, "bob": {"--owner", "bob"}, "carol": nil} {
		kept, logged := h.must(append([]string{"call", "memory_list"}, owner...)...), h.must(append([]string{"audit", "list", "--json"}, owner...)...)
		if n := strings.Count(logged, `"memory_set"`); n != rounds || !strings.Contains(kept, h.people[name].mark) {
			t.Errorf("%s's log has %d calls of memory_set, want %d; kept is %s", name, n, rounds, kept)
		}
		h.must(append([]string{"audit", "verify"}, owner...)...)
	}
}

// keepsApart looks into every file for what is another's.
func (h *household) keepsApart() {
	h.t.Helper()
	looked := 0
	err := filepath.WalkDir(h.home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(h.home, path)
		whose := "carol"
		if parts := strings.Split(rel, string(filepath.Separator)); parts[0] == "owners" {
			whose = parts[1]
		}
		raw, err := os.ReadFile(path)
		for name, g := range h.people {
			if strings.Contains(string(raw), g.mark) {
				if looked++; name != whose {
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

// What one person was given is for another as if it never was.
func TestWhatOnePersonWasGivenIsNothingToAnother(t *testing.T) {
	t.Parallel()
	h := newHousehold(t, "limits: {changes_per_hour: 1}\n")
	a, b := h.people["ann"], h.people["bob"]

	list := `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
		body := ""
		if method == http.MethodPost {
			body = list
		}
		theirs, none := b.ask(method, body, a.session), b.ask(method, body, header("Mcp-Session-Id", "made-up"))
		if theirs.status != 404 || theirs.body != none.body {
			t.Errorf("%s in another's session: %d %s; want what one that there is not has: %s", method, theirs.status, theirs.body, none.body)
		}
	}
	if got := a.ask(http.MethodPost, list, a.session); got.status != 200 {
		t.Errorf("the session is no longer its own: %d", got.status)
	}

	// alike wants b to be told the same of what is a's as of what never was.
	alike := func(tool string, with func(id string) object, id, none string) {
		t.Helper()
		theirs, never := b.calls(1, tool, with(id)), b.calls(1, tool, with(none))
		if strings.ReplaceAll(theirs, id, none) != never || !strings.Contains(never, `"isError":true`) {
			t.Errorf("%s of another's: %s\nof none: %s", tool, theirs, never)
		}
	}
	memory := a.of(1, "memory_set", object{"key": "tea", "value": "green"})["undo_id"].(string)
	event := a.of(2, "calendar_create_event", object{"title": "Tea", "start": someday + "T10:00"})
	undo := func(id string) object { return object{"undo_id": id} }
	alike("memory_undo", undo, memory, otherID(memory))
	alike("calendar_undo", undo, event["undo_id"].(string), otherID(event["undo_id"].(string)))
	alike("gmail_get_message", func(id string) object { return object{"message_id": id} }, a.mail, otherID(a.mail))
	id := event["event"].(object)["event_id"].(string)
	alike("calendar_get_event", func(id string) object { return object{"event_id": id} }, id, otherID(id))

	if code := a.of(3, "calendar_create_event", object{"title": "More", "start": someday + "T11:00"})["error"]; code != "RATE_LIMITED" {
		t.Errorf("her second change: %v, want RATE_LIMITED", code)
	}
	if code := b.of(3, "calendar_create_event", object{"title": "Coffee", "start": someday + "T11:00"})["error"]; code != nil {
		t.Errorf("his first change: %v; her limit is his", code)
	}

	parked := a.of(4, "gmail_send_message", object{"to": []string{bob}, "subject": "Rolls", "body": "At ten."})
	waits, _ := parked["approval_id"].(string)
	if waits == "" {
		t.Fatalf("her mail does not wait: %v", parked)
	}
	for _, owner := range [][]string{{"--owner", "bob"}, nil} {
		if _, stderr, status := h.run(append([]string{"approve", waits, "--yes"}, owner...)...); status == 0 || !strings.Contains(stderr, waits) {
			t.Errorf("%v approves it: %d %s", owner, status, stderr)
		}
		if pending := h.must(append([]string{"pending", "--json"}, owner...)...); strings.Contains(pending, "Rolls") {
			t.Errorf("%v sees it wait", owner)
		}
	}
	h.must("approve", waits, "--yes", "--owner", "ann")
	if hers, his := len(h.google.User(ann).Sent()), len(h.google.User(bob).Sent()); hers != 1 || his != 0 {
		t.Errorf("%d mails are sent from hers and %d from his, want 1 and none", hers, his)
	}
	h.web.end()
}

// otherID is an id of the same form that nobody was given.
func otherID(id string) string {
	last := id[len(id)-1]
	for _, other := range []byte("a0b1") {
		if other != last {
			return id[:len(id)-1] + string(other)
		}
	}
	return id
}
