// Package bundles is what is done: a Bundle joins the description of its
// actions to the Go functions that carry them out.
package bundles

import (
	"context"
	"encoding/json"
	"fmt"

	"kota/metadata"
)

// A Bundle is a description with its actions bound, plus the resources and
// prompts it offers.
type Bundle struct {
	metadata.Bundle // its own Actions are filled by New
	Actions         []Action
	Instructions    string // for every model that has the bundle, or ""; a sentence is left out where it names a tool that is not offered
	Resources       []Resource
	Prompts         []Prompt
}

// Broken returns what is left of a bundle that cannot work: its description, with
// the reason as what makes it unavailable, and nothing that could be called.
func Broken(about metadata.Bundle, reason string) Bundle {
	about.Unavailable, about.Actions, about.Workflows = reason, nil, nil
	return Bundle{Bundle: about}
}

// IsBroken reports whether Broken made the bundle.
func (b Bundle) IsBroken() bool { return len(b.Actions) == 0 && b.Unavailable != "" }

// MakeSchemas infers the schemas of what the actions take. It panics when one is of
// a type that has no schema. The router calls it for each bundle that is on, so that
// the fault shows at start and not in the middle of somebody's conversation.
func (b Bundle) MakeSchemas() {
	for _, a := range b.Actions {
		a.Input.Make()
	}
}

// Check returns an error when the schema of an action refuses one of its examples,
// and panics when there is no schema of what an action takes or answers. Tests call
// it (bundletest.Run): what they passed stays as it is in a program.
func (b Bundle) Check() error {
	b.MakeSchemas()
	for _, a := range b.Actions {
		if a.Output != nil {
			a.Output.Make()
		}
		for _, example := range a.Examples {
			args, err := json.Marshal(example.Args)
			if err != nil {
				return fmt.Errorf("action %q: example %q: %w", a.Name, example.Title, err)
			}
			if problems := a.Input.Check(args); len(problems) > 0 {
				return fmt.Errorf("action %q: example %q: %s: expected %s, got %s", a.Name, example.Title, problems[0].Path, problems[0].Expected, problems[0].Got)
			}
		}
	}
	return nil
}

// An Action is a described function. Prepare decodes args against the input
// schema, repairing what models get wrong, and returns the call to run. It
// answers a *metadata.Error with ValidationError when args do not fit and runs
// nothing itself.
type Action struct {
	metadata.Action
	Graded  bool // whether the effect of a call depends on its arguments
	Staged  any  // the *staged.Flow that the action is made of; nil unless it is staged
	Prepare func(args json.RawMessage) (Call, error)
}

// A Resource is text that can be read by its URI, without a call.
type Resource struct {
	Action      string // the name of the bundle's action that shows the same: they are hidden together
	URI         string // "memory://context", or with a variable: "memory://{key}"
	Name        string
	Title       string // for people
	Description string
	MIME        string
	Read        func(ctx context.Context, variable string) (string, error) // variable is "" for a fixed URI
	Complete    Complete                                                   // of the variable; nil knows of none
}

// A Prompt is a message a person can pick in a client.
type Prompt struct {
	Action      string // the name of the bundle's action it asks for: they are hidden together
	Name        string
	Title       string // for people
	Description string
	Arguments   []Argument
	Text        func(ctx context.Context, args map[string]string) (string, error)
}

// An Argument is one of a Prompt's.
type Argument struct {
	Name        string
	Description string
	Required    bool
	Complete    Complete // nil knows of none
}

// Complete returns values that begin like what a person has typed so far, the
// likeliest first: at most MostCompleted.
type Complete func(ctx context.Context, typed string) ([]string, error)

// MostCompleted is how many values a client takes (MCP 2025-06-18, completion).
const MostCompleted = 100
