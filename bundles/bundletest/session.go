package bundletest

import (
	"encoding/json"
	"testing"

	"kota/bundles"
)

// InSession runs one action of the bundle in a session. came says whether the session has
// read untrusted content. InSession returns the decoded answer, and whether the call
// reported untrusted content. The test fails if the call fails.
func InSession[Out any](t *testing.T, b bundles.Bundle, came bool, tool string, args any) (out Out, told bool) {
	t.Helper()
	out, told, err := TryInSession[Out](t, b, came, tool, args)
	if err != nil {
		t.Fatalf("%s %v: %v", tool, args, err)
	}
	return out, told
}

// TryInSession is like InSession, but returns the error of a failed call.
func TryInSession[Out any](t *testing.T, b bundles.Bundle, came bool, tool string, args any) (out Out, told bool, err error) {
	t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatalf("%s: marshal the arguments: %v", tool, err)
	}
	call, err := find(t, b, tool).Prepare(raw)
	if err != nil {
		return out, false, err
	}
	answer, err := call.Do(WithUntrusted(t.Context(), func() { told = true }, func() bool { return came }))
	if err != nil {
		return out, told, err
	}
	if raw, err = json.Marshal(answer); err == nil {
		err = json.Unmarshal(raw, &out)
	}
	if err != nil {
		t.Fatalf("%s: decode the answer: %v", tool, err)
	}
	return out, told, nil
}
