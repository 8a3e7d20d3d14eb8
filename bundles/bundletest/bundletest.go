// Package bundletest checks the contract that every bundle obeys. A bundle's own test
// calls Run once, and adds checks that only it needs.
package bundletest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"kota/bundles"
	"kota/metadata"
)

// A Case is a bundle under test.
type Case struct {
	// New returns the bundle without data: an empty database, an empty mailbox. It is
	// called again for every example.
	New func(t *testing.T) bundles.Bundle
	// Seed creates the data that the examples use, through the bundle's own actions if
	// possible. It may be nil.
	Seed func(t *testing.T, b bundles.Bundle)
	// ConcurrentChanges are changes of the seeded bundle that are undone after another
	// program changed the same object. Each action that returns an undo_id needs one.
	ConcurrentChanges []ConcurrentChange
	// Others are the keys of the other bundles that relationships and workflows may name.
	Others []string
}

// Run checks the bundle: its texts, its schemas against what clients accept, and its
// relationships. It runs every example and reads every resource, on an empty and on a
// seeded bundle. On the seeded bundle every example must succeed. On the empty one it may
// return NOT_FOUND, if the action declares that code. Run gets the text of every prompt on
// a seeded bundle. Workflows start without data; Run skips the steps that call other
// bundles. Every answer must fit the output schema.
//
// Run takes each staged action through its stages on the seeded bundle, for each of its
// document types. It also undoes each of the ConcurrentChanges. The undo must keep what
// the other program changed, unless the call asks to overwrite it.
func Run(t *testing.T, c Case) {
	t.Run("says what it is", func(t *testing.T) { checkTexts(t, c.New(t)) })
	t.Run("gives no action the name of another", func(t *testing.T) { checkAliases(t, c.New(t)) })
	t.Run("has schemas every client accepts", func(t *testing.T) { checkSchemas(t, c.New(t)) })
	t.Run("relates to bundles there are", func(t *testing.T) { checkRelationships(t, c.New(t), c.Others) })
	t.Run("refuses nonsense without harm", func(t *testing.T) { checkInvalidArguments(t, c.New(t)) })
	t.Run("runs its examples when empty", func(t *testing.T) { checkExamples(t, c, false) })
	t.Run("runs its examples when seeded", func(t *testing.T) { checkExamples(t, c, true) })
	t.Run("runs its workflows", func(t *testing.T) { checkWorkflows(t, c) })
	t.Run("keeps to the stages of its staged actions", func(t *testing.T) { checkStagedActions(t, c) })
	t.Run("offers undo or says why not", func(t *testing.T) { checkUndoOffered(t, c.New(t)) })
	t.Run("undoes over nothing that others changed", func(t *testing.T) { checkConcurrentChanges(t, c) })
	t.Run("reads its resources when empty", func(t *testing.T) { checkResources(t, c.New(t)) })
	t.Run("reads its resources when seeded", func(t *testing.T) { checkResources(t, c.newSeeded(t)) })
	t.Run("words its prompts", func(t *testing.T) { checkPrompts(t, c.newSeeded(t)) })
}

func (c Case) newSeeded(t *testing.T) bundles.Bundle {
	b := c.New(t)
	if c.Seed != nil {
		c.Seed(t, b)
	}
	return b
}

// checkInvalidArguments prepares a call of every action with arguments that no schema
// accepts.
func checkInvalidArguments(t *testing.T, b bundles.Bundle) {
	for _, a := range b.Actions {
		for _, args := range []string{`[]`, `7`, `"x"`, `{"no_such_argument": 1}`, `{`, "{\"a\": \"\xff\"}"} {
			_, err := a.Prepare(json.RawMessage(args))
			if code := metadata.CodeOf(err); code != metadata.ValidationError {
				t.Errorf("%s %q: got %v, want %s", a.Tool, args, err, metadata.ValidationError)
			}
		}
	}
}

func checkExamples(t *testing.T, c Case, seeded bool) {
	for _, a := range c.New(t).Actions {
		for _, example := range a.Examples {
			t.Run(a.Name+": "+example.Title, func(t *testing.T) {
				if seeded {
					if _, err := Call(t, c.newSeeded(t), a.Tool, example.Args); err != nil {
						t.Error(err)
					}
					return
				}
				_, err := Call(t, c.New(t), a.Tool, example.Args)
				if err != nil && metadata.CodeOf(err) != metadata.NotFound {
					t.Error(err)
				}
			})
		}
	}
}

func checkWorkflows(t *testing.T, c Case) {
	for _, flow := range c.New(t).Workflows {
		t.Run(flow.Title, func(t *testing.T) {
			b := c.New(t)
			for _, step := range flow.Steps {
				if key, _, _ := strings.Cut(step.Tool, "_"); key != b.Key && slices.Contains(c.Others, key) {
					continue
				}
				if _, err := Call(t, b, step.Tool, step.Args); err != nil {
					t.Fatalf("%s: %v", step.Tool, err)
				}
			}
		})
	}
}
