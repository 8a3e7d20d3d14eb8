package bundletest

import (
	"encoding/json"
	"testing"

	"kota/bundles"
)

// InSession runs one action of the bundle in a session. tainted says whether the session
// has read untrusted content. InSession returns the decoded answer, and in marked whether
// the call reported untrusted content. The test fails if the call fails.
func InSession[Out any](t *testing.T, b bundles.Bundle, tainted bool, tool string, args any) (out Out, marked bool) {
	t.Helper()
	out, marked, err := TryInSession[Out](t, b, tainted, tool, args)
	if err != nil {
		t.Fatalf("%s %v: %v", tool, args, err)
	}
	return out, marked
}

// TryInSession is like InSession, but returns the error of a failed call.
func TryInSession[Out any](t *testing.T, b bundles.Bundle, tainted bool, tool string, args any) (out Out, marked bool, err error) {
	t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatalf("%s: marshal the arguments: %v", tool, err)
	}
	call, err := find(t, b, tool).Prepare(raw)
	if err != nil {
		return out, false, err
	}
	answer, err := call.Do(WithUntrusted(t.Context(), func() { marked = true }, func() bool { return tainted }))
	if err != nil {
		return out, marked, err
	}
	if raw, err = json.Marshal(answer); err == nil {
		err = json.Unmarshal(raw, &out)
	}
	if err != nil {
		t.Fatalf("%s: decode the answer: %v", tool, err)
	}
	return out, marked, nil
}
