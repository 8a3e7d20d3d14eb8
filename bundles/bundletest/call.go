package bundletest

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"kota/bundles"
	"kota/metadata"
)

// Call runs one action of the bundle and returns the JSON of its answer. The answer must
// be an object that fits the output schema. The call has the user's consent, so nobody is
// asked. The test fails if the answer does not fit, or if the call has a worse effect
// than its action declares. It also fails if an error of the running call has an
// undeclared code, no message or no hint.
func Call(t *testing.T, b bundles.Bundle, tool string, args any) (json.RawMessage, error) {
	t.Helper()
	a := find(t, b, tool)
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatalf("%s: marshal the arguments: %v", tool, err)
	}
	call, err := a.Prepare(raw)
	if err != nil {
		return nil, err
	}
	checkEffect(t, a, call)
	out, err := call.Do(WithUserConsent(t.Context()))
	if err != nil {
		checkError(t, a, err)
		return nil, err
	}
	answer, err := json.Marshal(out)
	if err != nil {
		t.Fatalf("%s: marshal the answer: %v", tool, err)
	}
	checkAnswer(t, a, answer)
	return answer, nil
}

// Answer is like Call, and decodes the answer.
func Answer[Out any](t *testing.T, b bundles.Bundle, tool string, args any) (Out, error) {
	t.Helper()
	var out Out
	raw, err := Call(t, b, tool, args)
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatalf("%s: decode the answer: %v", tool, err)
	}
	return out, nil
}

// Must is like Answer for an action that must succeed.
func Must[Out any](t *testing.T, b bundles.Bundle, tool string, args any) Out {
	t.Helper()
	out, err := Answer[Out](t, b, tool, args)
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return out
}

// AsError returns err as a *metadata.Error. The test fails for another type.
func AsError(t *testing.T, err error) *metadata.Error {
	t.Helper()
	e := (*metadata.Error)(nil)
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want one of KOTA's errors", err)
	}
	return e
}

// ProblemPath returns the path of the first problem of a VALIDATION_ERROR.
func ProblemPath(t *testing.T, err error) string {
	t.Helper()
	e := AsError(t, err)
	if e.Code != metadata.ValidationError || len(e.Problems) == 0 {
		t.Fatalf("got %v, want a %s with problems", err, metadata.ValidationError)
	}
	return e.Problems[0].Path
}

func find(t *testing.T, b bundles.Bundle, tool string) bundles.Action {
	t.Helper()
	i := slices.IndexFunc(b.Actions, func(a bundles.Action) bool { return a.Tool == tool })
	if i < 0 {
		t.Fatalf("the bundle %s has no tool %s", b.Key, tool)
	}
	return b.Actions[i]
}

// checkEffect checks that the call's effect is not worse than the declared one. Policy
// and clients rely on that.
func checkEffect(t *testing.T, a bundles.Action, call bundles.Call) {
	t.Helper()
	if !call.Effect.Valid() {
		t.Errorf("%s: the call has the unknown effect %q", a.Tool, call.Effect)
	}
	if slices.Index(metadata.Effects, call.Effect) > slices.Index(metadata.Effects, a.Effect) {
		t.Errorf("%s: the call %s, and its action declares only that it %s", a.Tool, call.Effect, a.Effect)
	}
}

// checkError checks the errors that the bundle itself creates, but not those of
// libraries.
func checkError(t *testing.T, a bundles.Action, err error) {
	t.Helper()
	e := (*metadata.Error)(nil)
	if !errors.As(err, &e) {
		return
	}
	if !slices.Contains(a.Errors, e.Code) {
		t.Errorf("%s answered %s, which it does not declare", a.Tool, e.Code)
	}
	if e.Message == "" || e.Hint == "" {
		t.Errorf("%s answered %s without a message and a hint that names the next step", a.Tool, e.Code)
	}
}

func checkAnswer(t *testing.T, a bundles.Action, answer json.RawMessage) {
	t.Helper()
	if len(answer) == 0 || answer[0] != '{' {
		t.Errorf("%s: the answer is no object: %s", a.Tool, answer)
	}
	if a.Output == nil {
		return
	}
	for _, problem := range a.Output.Check(answer) {
		t.Errorf("%s: the answer does not fit its schema: %s: expected %s, got %s", a.Tool, problem.Path, problem.Expected, problem.Got)
	}
}
