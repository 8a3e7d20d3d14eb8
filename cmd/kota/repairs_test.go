package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/term"
	"kota/entrypoint"
	"kota/entrypoint/repairtest"
	"kota/metadata"
)

// repairTarget is the share of the corpus that must succeed at once, or on the one
// retry that the answer spells out. For calls that must be refused, refusal
// counts.
const repairTarget = 0.9

// TestMalformedCallsAreRepaired makes each call of the corpus to the whole
// catalogue, against the fake Google.
func TestMalformedCallsAreRepaired(t *testing.T) {
	t.Parallel()
	d := newCalendarHome(t, "")
	d.bundles += ", daily: on"
	d.configure("send: draft\n") // calls that ask would not run
	a := &app.App{Env: d.env, Terminal: term.Terminal{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard}}
	t.Cleanup(func() { _ = a.CloseDB() })
	router, err := a.Router()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := router.Call(t.Context(), "memory_set", json.RawMessage(`{"key": "theme", "value": "dark", "tags": ["ui"]}`)); err != nil {
		t.Fatal(err)
	}
	calls, err := repairtest.Corpus()
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, c := range calls {
		got, err := c.Try(func(c repairtest.Call) (json.RawMessage, error) { return callChecked(t, router, c) })
		if err != nil {
			t.Fatal(err)
		}
		counts[got]++
		if got != c.Outcome {
			t.Errorf("%s: %s %s: %s, want %s", c.Name, c.Tool, c.Args, got, c.Outcome)
		}
	}
	healed := float64(counts[repairtest.Runs]+counts[repairtest.Retry]) / float64(len(calls))
	t.Logf("%d calls: %d at once, %d on the retry, %d refused rightly, %d failed: %.0f %% healed",
		len(calls), counts[repairtest.Runs], counts[repairtest.Retry], counts[repairtest.Refused], counts[repairtest.Failed], 100*healed)
	output := fmt.Sprintf("Of %d malformed calls, as models send them, %d run at once and %d on the one retry that the error spells out; %d are refused rightly,",
		len(calls), counts[repairtest.Runs], counts[repairtest.Retry], counts[repairtest.Refused])
	if !strings.Contains(readPage(t, "docs/explanation/disclosure.md"), output) {
		t.Errorf("docs/explanation/disclosure.md does not say: %s", output)
	}
	if len(calls) < 80 || healed < repairTarget {
		t.Errorf("%.3f of %d calls are healed, want %.1f of at least 80", healed, len(calls), repairTarget)
	}
}

// callChecked makes a call and returns its error. An answer holds no schema, and
// an error holds at most the schema of one action.
func callChecked(t *testing.T, router *entrypoint.Router, c repairtest.Call) (json.RawMessage, error) {
	_, text, err := router.Answer(t.Context(), &entrypoint.Call{Channel: entrypoint.ByName, Tool: c.Tool, Args: c.Args})
	if err == nil {
		if bytes.Contains(text, []byte(`"properties"`)) || bytes.Contains(text, []byte(`chema"`)) {
			t.Errorf("%s: the answer holds a schema: %s", c.Name, text)
		}
		return nil, nil
	}
	failure := (*metadata.Error)(nil)
	if !errors.As(err, &failure) {
		return nil, err
	}
	if failure.Schema != nil && !isActionSchema(t, router, failure.Schema) {
		t.Errorf("%s: the error holds what is no action's schema: %s", c.Name, failure.Schema)
	}
	return metadata.Plain(failure)
}

func isActionSchema(t *testing.T, router *entrypoint.Router, schema json.RawMessage) bool {
	return slices.ContainsFunc(router.EnabledBundles(), func(b metadata.Bundle) bool {
		return slices.ContainsFunc(b.Actions, func(a metadata.Action) bool {
			own, err := a.Input.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			return bytes.Equal(own, schema)
		})
	})
}
