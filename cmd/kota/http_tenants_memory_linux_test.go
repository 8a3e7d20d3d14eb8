package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"kota/bundles/bundletest"
)

// maxTenants is how many tenants fit in the memory of the test.
const maxTenants = 16

// One and a half times as many people as slots use some of everything, one of
// them with a Google account. They take no more memory than one hostile person
// may.
func TestManyTenantsStayWithinMemoryLimit(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector takes memory of its own: run it without -race")
	}
	t.Setenv("GOMEMLIMIT", "160MiB")
	h := newTestHome(t)
	i := newIssuer(t)
	people := make(chan int, maxTenants+maxTenants/2)
	owners := "    owners:\n"
	for n := range cap(people) {
		people <- n
		owners += fmt.Sprintf("      person%d: person%[1]d\n", n)
	}
	close(people)
	i.configure(h.home, owners, "google: {tokens: file, endpoint: \""+h.google.URL()+"\"}\nbundles: {memory: on, daily: on, gmail: on, calendar: on}\n")
	h.storeClient()
	if _, _, stderr, status := h.signIn(bundletest.GoogleConsent{User: ann}, "--owner", "person0"); status != 0 {
		t.Fatal(stderr)
	}
	mail := h.google.User(ann).Deliver(bundletest.GoogleMail{From: "News <news@lists.example>", To: ann, Subject: "Tea", Text: "Of tea."}).ID
	w := startHTTPServer(t, h.home)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for n := range people {
				g := &tenantClient{httpServer: w.withToken(i.token(fmt.Sprint("person", n))), name: fmt.Sprint("person", n)}
				if found := g.useEveryBundle(); strings.Contains(found, mail) != (n == 0) {
					t.Errorf("%s finds %s", g.name, found)
				}
			}
		})
	}
	all.Wait()
	checkOpenTenants(t, w, h.home)
	t.Logf("%d MB", memoryOf(t, w.cmd.Process.Pid, "VmHWM:")>>20)
	session, keys := w.beginSession(), callWithManyKeys()
	for n := range 6 { // with all slots taken
		all.Go(func() {
			body := strings.Replace(keys, `"id":1,`, fmt.Sprintf(`"id":%d,`, 10+n), 1)
			if got := w.ask(http.MethodPost, body, session); got.status != http.StatusOK {
				t.Errorf("got %d %.200s", got.status, got.body)
			}
		})
	}
	all.Wait()
	checkOpenTenants(t, w, h.home)
	peak := memoryOf(t, w.cmd.Process.Pid, "VmHWM:")
	t.Logf("%d MB", peak>>20)
	if peak > maxMemory {
		t.Errorf("it took %d MB, want at most %d", peak>>20, maxMemory>>20)
	}
	w.stop()
}

// useEveryBundle connects as soon as a slot is free, and returns what is
// found in their mail.
func (g *tenantClient) useEveryBundle() (found string) {
	g.t.Helper()
	list, modernly := modernRequest("tools/list", object{})
	g.waitFor("has room for "+g.name, func() bool { return g.ask(http.MethodPost, list, modernly).status != http.StatusServiceUnavailable })
	g.session = g.beginSession()
	g.ask(http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, g.session)
	long := strings.Repeat("She likes tea. ", 4000)
	for round := range sampleSize(1, 2) {
		for _, call := range []struct {
			tool string
			args object
		}{
			{"memory_set", object{"key": fmt.Sprint("key", round), "value": long}},
			{"memory_set", object{"key": fmt.Sprint("yek", round), "value": long}},
			{"memory_get", object{"key": fmt.Sprint("key", round)}},
			{"memory_get", object{"query": "who likes tea"}},
			{"kota_discover_bundles", object{"query": "send a mail to " + g.name}},
			{"daily_log", object{"text": "had tea"}},
			{"daily_get", object{}},
		} {
			g.callTool(round, call.tool, call.args)
		}
		found = g.callTool(round, "gmail_search_messages", object{"query": "tea"})
	}
	return found
}

// checkOpenTenants checks that the server has as many tenants' databases open as
// permitted.
func checkOpenTenants(t *testing.T, w *httpServer, home string) {
	t.Helper()
	descriptors, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", w.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	open := map[string]bool{}
	for _, descriptor := range descriptors {
		file, err := os.Readlink(descriptor)
		if owned, _ := filepath.Match(filepath.Join(home, "owners", "*", "kota.db"), file); err == nil && owned {
			open[file] = true
		}
	}
	if len(open) != maxTenants {
		t.Errorf("%d tenants are open, want %d: %v", len(open), maxTenants, open)
	}
}
