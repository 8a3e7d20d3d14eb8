package main

import (
	"context"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// conformance are the scenarios of the official suite that a server without test
// tools can pass, by the protocol they are of. server-stateless wants such a tool
// for two of its 28 checks.
var conformance = map[string]string{
	"2025-11-25": `server-initialize ping server-session-lifecycle logging-set-level completion-complete tools-list
		resources-list prompts-list resources-subscribe resources-unsubscribe server-sse-multiple-streams dns-rebinding-protection`,
	"2026-07-28": `tools-list prompts-list resources-list caching http-header-validation completion-complete
		sep-2164-resource-not-found server-sse-multiple-streams dns-rebinding-protection
		input-required-result-unsupported-methods server-stateless`,
}

// TestTheOfficialSuiteFindsNothing runs the conformance suite of the protocol
// against the program as it is shipped, with all bundles on.
func TestTheOfficialSuiteFindsNothing(t *testing.T) {
	suite, node := os.Getenv("KOTA_CONFORMANCE"), os.Getenv("KOTA_NODE")
	if suite == "" || node == "" {
		t.Skip("KOTA_CONFORMANCE and KOTA_NODE are not set: `make conformance` installs the suite and sets them")
	}
	site := serveWeb(t, allOn(t))
	endpoint := behindToken(t, site)
	for era, scenarios := range conformance {
		for _, scenario := range strings.Fields(scenarios) {
			t.Run(era+"/"+scenario, func(t *testing.T) {
				t.Parallel()
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				out, err := exec.CommandContext(ctx, node, suite, "server", "--url", endpoint, "--scenario", scenario, "--spec-version", era).CombinedOutput()
				if scenario == "server-stateless" {
					if !strings.Contains(string(out), "Passed: 26/28") || strings.Count(string(out), "test_missing_capability") == 0 {
						t.Errorf("not all but what takes a test tool is passed:\n%s", out)
					}
					return
				}
				if err != nil {
					t.Errorf("%v:\n%s", err, out)
				}
			})
		}
	}
}

// behindToken serves the endpoint where no token is wanted: the suite cannot send
// one. All else goes through as it comes, but for the port in Host.
func behindToken(t *testing.T, site *website) string {
	t.Helper()
	to, err := url.Parse(site.url)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewUnstartedServer(nil)
	proxy.Config.Handler = &httputil.ReverseProxy{
		FlushInterval: -1, // streams are streams
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: to.Scheme, Host: to.Host})
			r.Out.Host = strings.Replace(r.In.Host, proxy.Listener.Addr().String(), to.Host, 1)
			r.Out.Header.Set("Authorization", "Bearer "+site.token)
		},
	}
	proxy.Start()
	t.Cleanup(proxy.Close)
	return proxy.URL + to.Path
}

// allOn is a home in which every bundle is on.
func allOn(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	writeFile(t, home+"/bundles.yaml", []byte(everythingOn))
	return home
}
