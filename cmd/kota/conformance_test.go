package main

import (
	"bytes"
	"context"
	"io"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// conformanceScenarios lists, per protocol, the scenarios of the official suite that a
// server without test tools can pass. server-stateless needs such a tool for
// two of its 28 checks.
var conformanceScenarios = map[string]string{
	"2025-11-25": `server-initialize ping server-session-lifecycle logging-set-level completion-complete tools-list
		resources-list prompts-list resources-subscribe resources-unsubscribe server-sse-multiple-streams dns-rebinding-protection`,
	"2026-07-28": `tools-list prompts-list resources-list caching http-header-validation completion-complete
		sep-2164-resource-not-found server-sse-multiple-streams dns-rebinding-protection
		input-required-result-unsupported-methods server-stateless`,
}

// TestOfficialSuitePasses runs the protocol's conformance suite
// against the released program, with all bundles enabled.
func TestOfficialSuitePasses(t *testing.T) {
	run := conformanceSuite(t)
	onOneServerAndOnTwo(t, "kota", func(t *testing.T, endpoint string) { passScenarios(t, run, endpoint) })
}

// A suiteRun runs the suite against a server and returns its output.
type suiteRun func(t *testing.T, endpoint string, args ...string) (printed string, err error)

func passScenarios(t *testing.T, run suiteRun, endpoint string) {
	for era, scenarios := range conformanceScenarios {
		for _, scenario := range strings.Fields(scenarios) {
			t.Run(era+"/"+scenario, func(t *testing.T) {
				t.Parallel()
				out, err := run(t, endpoint, "--scenario", scenario, "--spec-version", era)
				if scenario == "server-stateless" {
					if !strings.Contains(out, "Passed: 26/28") || strings.Count(out, "test_missing_capability") == 0 {
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

// TestOfficialSuitePassesForEachRevision runs all that each revision of the
// protocol requires of a server, against the program with the suite's own
// tools.
func TestOfficialSuitePassesForEachRevision(t *testing.T) {
	run := conformanceSuite(t)
	onOneServerAndOnTwo(t, buildWithFixture(t), func(t *testing.T, endpoint string) { passRevisions(t, run, endpoint) })
}

func passRevisions(t *testing.T, run suiteRun, endpoint string) {
	for era, all := range map[string]string{"2025-11-25": "33 scenarios", "2026-07-28": "50 scenarios"} { // including those that are not scored
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			out, err := run(t, endpoint, "--requirements", era)
			if err != nil || !strings.Contains(out, all) {
				t.Errorf("%v, of %s:\n%s", err, all, out)
			}
		})
	}
	for _, scenario := range []string{"json-schema-2020-12", "http-header-validation", "http-custom-header-server-validation"} {
		t.Run("not required yet/"+scenario, func(t *testing.T) {
			t.Parallel()
			if out, err := run(t, endpoint, "--scenario", scenario, "--spec-version", "2026-07-28"); err != nil {
				t.Errorf("%v:\n%s", err, out)
			}
		})
	}
}

// onOneServerAndOnTwo runs a test of a program twice: with one server whose
// database is a file, and with two on PostgreSQL. A load balancer passes each
// request to another of the two than the one before it.
func onOneServerAndOnTwo(t *testing.T, program string, test func(t *testing.T, endpoint string)) {
	t.Run("one server", func(t *testing.T) {
		test(t, proxyWithToken(t, startHTTPServerOf(t, program, newHomeWithAllBundles(t))))
	})
	t.Run("two servers", func(t *testing.T) {
		_, balanced := startBalancedServersOf(t, program, exposeAll())
		test(t, proxyWithToken(t, balanced))
	})
}

// conformanceSuite returns a function that runs the suite. It skips the test if
// the suite is not installed.
func conformanceSuite(t *testing.T) suiteRun {
	t.Helper()
	suite, node := os.Getenv("KOTA_CONFORMANCE"), os.Getenv("KOTA_NODE")
	if suite == "" || node == "" {
		t.Skip("KOTA_CONFORMANCE and KOTA_NODE are not set: `make conformance` installs the suite and sets them")
	}
	return func(t *testing.T, endpoint string, args ...string) (string, error) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		out, err := exec.CommandContext(ctx, node, append([]string{suite, "server", "--url", endpoint}, args...)...).CombinedOutput()
		return string(out), err
	}
}

// proxyWithToken serves the endpoint without requiring a token, because the suite
// cannot send one. Everything else passes unchanged, except the port in Host.
func proxyWithToken(t *testing.T, site *httpServer) string {
	t.Helper()
	to, err := url.Parse(site.url)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewUnstartedServer(nil)
	proxy.Config.Handler = &httputil.ReverseProxy{
		FlushInterval: -1, // streams are not buffered
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: to.Scheme, Host: to.Host})
			r.Out.Host = strings.Replace(r.In.Host, proxy.Listener.Addr().String(), to.Host, 1)
			r.Out.Header.Set("Authorization", "Bearer "+site.token)
			readBody(r)
		},
	}
	proxy.Start()
	t.Cleanup(proxy.Close)
	return proxy.URL + to.Path
}

// readBody reads the body of a request that a proxy passes on. Otherwise an answer may arrive while
// the proxy is still reading the body: the proxy would close the body and lose the answer.
func readBody(r *httputil.ProxyRequest) {
	if body, err := io.ReadAll(r.In.Body); err == nil {
		r.Out.Body = io.NopCloser(bytes.NewReader(body))
	}
}

// newHomeWithAllBundles returns a home in which every bundle is enabled.
func newHomeWithAllBundles(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	writeFile(t, home+"/bundles.yaml", []byte(exposeAll()))
	return home
}
