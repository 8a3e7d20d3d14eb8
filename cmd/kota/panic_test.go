package main

import (
	"regexp"
	"strings"
	"testing"
)

func TestPanicPrintsOnlyAnID(t *testing.T) {
	env := func(string) string { panic("the secret is open sesame") }
	var out, stderr strings.Builder
	status := reportError(run(t.Context(), []string{"discover"}, env, strings.NewReader(""), &out, &stderr), &stderr)
	id := regexp.MustCompile(`\(id ([0-9a-f]{8})\)`).FindStringSubmatch(stderr.String())
	if status != 1 || out.Len() > 0 || id == nil || !strings.Contains(stderr.String(), `"error":"INTERNAL"`) {
		t.Fatalf("status %d, stdout %q, stderr %s", status, out.String(), stderr.String())
	}
	if !strings.Contains(stderr.String(), "id="+id[1]) || !strings.Contains(stderr.String(), "panic_test.go") {
		t.Errorf("the log has no stack under %s: %s", id[1], stderr.String())
	}
	if strings.Contains(stderr.String(), "sesame") {
		t.Errorf("the panic value is printed: %s", stderr.String())
	}
}
