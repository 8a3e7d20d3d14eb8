package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The test tools that the conformance suite needs are behind a build tag. No
// release is built with it.
func TestConformanceFixtureNeedsBuildTag(t *testing.T) {
	t.Parallel()
	const fixture = "kota/entrypoint/conformance"
	for tag, want := range map[string]bool{"conformance": true, "grpcnotrace": false} {
		out, err := exec.Command("go", "list", "-deps", "-tags", tag, ".").CombinedOutput()
		if err != nil {
			t.Fatalf("%v:\n%s", err, out)
		}
		if got := strings.Contains(string(out), fixture); got != want {
			t.Errorf("with the tag %s: it is in is %v, want %v", tag, got, want)
		}
	}
}

// The names that the suite calls must not be in the program as `make build`
// builds it.
func TestOfficialSuiteNamesAreNotInRelease(t *testing.T) {
	conformanceSuite(t)
	program, released := buildWithFixture(t), build(t, "-tags", "grpcnotrace", "-trimpath", "-ldflags=-s -w")
	names := listedNames(t, startHTTPServerOf(t, program, newHomeWithAllBundles(t)))
	for name := range listedNames(t, startHTTPServer(t, newHomeWithAllBundles(t))) {
		delete(names, name)
	}
	if len(names) < 30 {
		t.Errorf("the fixture has the names %v alone", names)
	}
	with, without := readFile(t, program), readFile(t, released)
	for name := range names {
		if !bytes.Contains(with, []byte(name)) {
			t.Errorf("%s is not found in the program that has it", name)
		}
		if bytes.Contains(without, []byte(name)) {
			t.Errorf("%s is in the release", name)
		}
	}
}

// listedNames returns the names of the tools and prompts, and the URIs of the
// resources, that a server lists.
func listedNames(t *testing.T, site *httpServer) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for method, key := range map[string]string{"tools/list": "name", "prompts/list": "name", "resources/list": "uri", "resources/templates/list": "uriTemplate"} {
		body, headers := modernRequest(method, object{})
		answer := site.ask(http.MethodPost, body, headers)
		var listing struct {
			Result map[string]json.RawMessage `json:"result"`
		}
		if err := json.Unmarshal([]byte(answer.body), &listing); err != nil {
			t.Fatalf("%s: %v: %s", method, err, answer.body)
		}
		for _, raw := range listing.Result {
			var items []map[string]any
			if json.Unmarshal(raw, &items) != nil {
				continue // it is not the list
			}
			for _, item := range items {
				names[item[key].(string)] = true
			}
		}
	}
	return names
}

// buildWithFixture builds the program with the conformance suite's test tools.
func buildWithFixture(t *testing.T) string {
	t.Helper()
	return build(t, "-tags", "conformance", "-ldflags=-s -w") // without debug information it links faster
}

func build(t *testing.T, flags ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "kota")
	if out, err := exec.Command("go", append(append([]string{"build"}, flags...), "-o", program, ".")...).CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	return program
}

func readFile(t *testing.T, file string) []byte {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
