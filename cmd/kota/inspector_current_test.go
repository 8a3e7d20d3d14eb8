package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The current Inspector warns about what is not portable in a listing, speaks
// both eras, and can load a server. The Inspector in inspector_test.go cannot.
func TestInspectorReportsNoWarnings(t *testing.T) {
	inspect := currentInspector(t)
	for mode, config := range listings() {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			writeFile(t, filepath.Join(home, "bundles.yaml"), []byte(config))
			site := startHTTPServer(t, home)
			for _, era := range []string{"legacy", "modern"} {
				for transport, target := range map[string][]string{
					"stdio": {"-e", "KOTA_HOME=" + home, "--", "kota", "serve"},
					"http":  {"--header", "Authorization: Bearer " + site.token, "--", site.url},
				} {
					out, warnings, status := inspect(t, append([]string{"--protocol-era", era, "--method", "tools/list", "--strict"}, target...)...)
					if status != 0 || !bytes.Contains(out, []byte("kota_discover_bundles")) || len(warnings) > 0 {
						t.Errorf("%s, %s: status %d, %.500s\n%s", transport, era, status, out, warnings)
					}
				}
			}
		})
	}
}

func TestInspectorWorksOverHTTPInBothEras(t *testing.T) {
	inspect := currentInspector(t)
	site := startHTTPServer(t, newHomeWithAllBundles(t))
	ask := func(token, era string, args ...string) (out []byte, status int) {
		out, _, status = inspect(t, append([]string{site.url, "--header", "Authorization: Bearer " + token, "--protocol-era", era, "--stored-auth-only", "--method"}, args...)...)
		return out, status
	}
	for _, era := range []string{"legacy", "modern"} {
		list, _ := ask(site.token, era, "tools/list")
		checkReviewedTools(t, list)
		if out, status := ask(site.token, era, "tools/call", "--tool-name", "memory_set", "--tool-args-json", `{"key": "`+era+`", "value": "kept"}`); status != 0 || !bytes.Contains(out, []byte("created")) {
			t.Errorf("%s: memory_set ends with %d: %s", era, status, out)
		}
		if out, status := ask(site.token, era, "resources/read", "--uri", "memory://"+era); status != 0 || !bytes.Contains(out, []byte("kept")) {
			t.Errorf("%s: resources/read ends with %d: %s", era, status, out)
		}
		if out, status := ask(site.token, era, "tools/call", "--tool-name", "memory_get", "--tool-args-json", `{"kex": 1}`); status != 5 {
			t.Errorf("%s: a call with bad arguments ends with %d, want 5, which is isError: %s", era, status, out)
		}
		if out, status := ask("of somebody else's", era, "tools/list"); status == 0 || len(out) > 0 {
			t.Errorf("%s: with a wrong token it ends with %d: %s", era, status, out)
		}
	}
}

// Each of 500 calls, 32 at a time, gets an answer without an error.
func TestServerHandlesInspectorLoad(t *testing.T) {
	inspect := currentInspector(t)
	site := startHTTPServer(t, newHomeWithAllBundles(t))
	site.ask("POST", toolCall(1, "memory_set", object{"key": "theme", "value": "dark"}), site.beginSession())
	for _, era := range []string{"legacy", "modern"} {
		out, output, status := inspect(t, site.url, "--header", "Authorization: Bearer "+site.token, "--protocol-era", era, "--method", "tools/call",
			"--tool-name", "memory_get", "--tool-args-json", `{"key": "theme"}`, "--load", "--load-requests", "500", "--load-concurrency", "32", "--format", "json")
		var load struct {
			Result struct{ Requests, OK, ToolErrors, Errors int }
		}
		if err := json.Unmarshal(out, &load); err != nil || status != 0 || load.Result.OK != 500 || load.Result.Requests != 500 {
			t.Errorf("%s: status %d, %v: %s\n%s", era, status, err, out, output)
		}
	}
}

// currentInspector returns a function that runs the Inspector's command line.
// It skips the test if the Inspector is not installed.
func currentInspector(t *testing.T) func(t *testing.T, args ...string) (out, warnings []byte, status int) {
	t.Helper()
	inspector := os.Getenv("KOTA_INSPECTOR_STRICT")
	if inspector == "" {
		t.Skip("KOTA_INSPECTOR_STRICT is not set. To run this test: npm install --prefix DIR @modelcontextprotocol/inspector@2.12.0, " +
			"set KOTA_INSPECTOR_STRICT to DIR/node_modules/@modelcontextprotocol/inspector/clients/cli/build/index.js, and KOTA_NODE to a node of 22.19 or newer")
	}
	node := os.Getenv("KOTA_NODE")
	if node == "" {
		node = "node"
	}
	own := t.TempDir() // it stores files in the home folder
	return func(t *testing.T, args ...string) (out, warnings []byte, status int) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), node, append([]string{inspector}, args...)...)
		cmd.Env = append(os.Environ(), "HOME="+own)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return out, stderr.Bytes(), cmd.ProcessState.ExitCode()
	}
}
