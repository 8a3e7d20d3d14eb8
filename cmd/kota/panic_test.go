package main

import (
	"regexp"
	"strings"
	"testing"
)

func TestPanicPrintsOnlyAnID(t *testing.T) {
	env := func(string) string { panic("the secret is open sesame") }
	var out, complaints strings.Builder
	status := reportError(run(t.Context(), []string{"discover"}, env, strings.NewReader(""), &out, &complaints), &complaints)
	told := regexp.MustCompile(`\(id ([0-9a-f]{8})\)`).FindStringSubmatch(complaints.String())
	if status != 1 || out.Len() > 0 || told == nil || !strings.Contains(complaints.String(), `"error":"INTERNAL"`) {
		t.Fatalf("status %d, stdout %q, stderr %s", status, out.String(), complaints.String())
	}
	if !strings.Contains(complaints.String(), "id="+told[1]) || !strings.Contains(complaints.String(), "panic_test.go") {
		t.Errorf("the log has no stack under %s: %s", told[1], complaints.String())
	}
	if strings.Contains(complaints.String(), "sesame") {
		t.Errorf("what was panicked with is told: %s", complaints.String())
	}
}
