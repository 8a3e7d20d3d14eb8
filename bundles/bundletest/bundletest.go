// Package bundletest is the contract that every bundle obeys. A bundle's own
// test is one call of Run, plus the facts that are only its.
package bundletest

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"kota/bundles"
	"kota/metadata"
)

// A Case is a bundle under test.
type Case struct {
	// New returns the bundle over nothing yet: an empty database, an empty
	// mailbox. It is called anew for every example.
	New func(t *testing.T) bundles.Bundle
	// Seed puts in what the examples speak of, through the bundle's own
	// actions where it can. It may be nil.
	Seed func(t *testing.T, b bundles.Bundle)
	// Others are the keys of the bundles it may name in its relationships.
	Others []string
}

// Run checks the bundle: its words, its schemas against what clients accept,
// its relationships, and every example and workflow by running it on an empty
// and on a seeded bundle. On the seeded one every example must succeed; on the
// empty one it may answer NOT_FOUND, if the action declares that code. Every
// answer must fit the output schema.
func Run(t *testing.T, c Case) {
	t.Run("says what it is", func(t *testing.T) { words(t, c.New(t)) })
	t.Run("has schemas every client accepts", func(t *testing.T) { schemas(t, c.New(t)) })
	t.Run("relates to bundles there are", func(t *testing.T) { relationships(t, c.New(t), c.Others) })
	t.Run("refuses nonsense without harm", func(t *testing.T) { nonsense(t, c) })
	t.Run("runs its examples when empty", func(t *testing.T) { examples(t, c, false) })
	t.Run("runs its examples when seeded", func(t *testing.T) { examples(t, c, true) })
	t.Run("runs its workflows", func(t *testing.T) { workflows(t, c) })
}

func words(t *testing.T, b bundles.Bundle) {
	if len(b.Actions) == 0 {
		t.Error("it has no actions")
	}
	for _, a := range b.Actions {
		switch {
		case len(a.Phrases) < 5:
			t.Errorf("%s: %d phrases; people ask in at least 5 ways", a.Tool, len(a.Phrases))
		case len(a.Phrases) > 12:
			t.Errorf("%s: %d phrases are more than 12", a.Tool, len(a.Phrases))
		case len(a.Examples) == 0:
			t.Errorf("%s: there is no example", a.Tool)
		case !strings.HasSuffix(a.Summary, "."):
			t.Errorf("%s: the summary %q is no sentence", a.Tool, a.Summary)
		case utf8.RuneCountInString(a.Text()) > 2000:
			t.Errorf("%s: clients cut descriptions at 2,048 characters", a.Tool)
		}
		for _, phrase := range a.Phrases {
			if strings.Contains(phrase, a.Tool) {
				t.Errorf("%s: the phrase %q names the tool, which nobody says", a.Tool, phrase)
			}
		}
	}
}

func relationships(t *testing.T, b bundles.Bundle, others []string) {
	known := map[string]bool{}
	for _, key := range others {
		known[key] = true
	}
	for _, r := range b.Relationships {
		if r.Bundle == b.Key || !known[r.Bundle] {
			t.Errorf("%s %q, which is no other bundle", r.Type, r.Bundle)
		}
		if r.Description == "" {
			t.Errorf("%s %q does not say why", r.Type, r.Bundle)
		}
	}
}

// nonsense sends every action what no schema admits.
func nonsense(t *testing.T, c Case) {
	b := c.New(t)
	for _, a := range b.Actions {
		for _, args := range []string{`[]`, `7`, `"x"`, `{"no_such_argument": 1}`, `{`, "{\"a\": \"\xff\"}"} {
			_, err := a.Prepare(json.RawMessage(args))
			if code := metadata.CodeOf(err); code != metadata.ValidationError {
				t.Errorf("%s %q: got %v, want %s", a.Tool, args, err, metadata.ValidationError)
			}
		}
	}
}

func examples(t *testing.T, c Case, seeded bool) {
	for _, a := range c.New(t).Actions {
		for _, example := range a.Examples {
			t.Run(a.Name+": "+example.Title, func(t *testing.T) {
				b := c.New(t)
				if seeded && c.Seed != nil {
					c.Seed(t, b)
				}
				_, err := Call(t, b, a.Tool, example.Args)
				if err == nil {
					return
				}
				if seeded || metadata.CodeOf(err) != metadata.NotFound || !declares(a, metadata.NotFound) {
					t.Errorf("%v", err)
				}
			})
		}
	}
}

func workflows(t *testing.T, c Case) {
	for _, flow := range c.New(t).Workflows {
		t.Run(flow.Title, func(t *testing.T) {
			b := c.New(t)
			for _, step := range flow.Steps {
				if _, err := Call(t, b, step.Tool, step.Args); err != nil {
					t.Fatalf("%s: %v", step.Tool, err)
				}
			}
		})
	}
}

// Call runs one action of the bundle and checks that its answer fits the
// output schema. It returns the answer's JSON. An error with a code the action
// does not declare fails the test.
func Call(t *testing.T, b bundles.Bundle, tool string, args any) (json.RawMessage, error) {
	t.Helper()
	a := find(t, b, tool)
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	call, err := a.Prepare(raw)
	if err != nil {
		return nil, err
	}
	out, err := call.Do(t.Context())
	if err != nil {
		if code := metadata.CodeOf(err); code != metadata.Internal && !declares(a, code) {
			t.Errorf("%s answered %s, which it does not declare", tool, code)
		}
		return nil, err
	}
	answer, err := json.Marshal(out)
	if err != nil {
		t.Fatalf("%s: marshal the answer: %v", tool, err)
	}
	if a.Output == nil {
		return answer, nil
	}
	for _, problem := range a.Output.Check(answer) {
		t.Errorf("%s: the answer does not fit its schema: %s: expected %s, got %s", tool, problem.Path, problem.Expected, problem.Got)
	}
	return answer, nil
}

func find(t *testing.T, b bundles.Bundle, tool string) bundles.Action {
	t.Helper()
	for _, a := range b.Actions {
		if a.Tool == tool {
			return a
		}
	}
	t.Fatalf("the bundle %s has no tool %s", b.Key, tool)
	return bundles.Action{}
}

func declares(a bundles.Action, code metadata.Code) bool {
	for _, declared := range a.Errors {
		if declared == code {
			return true
		}
	}
	return false
}
