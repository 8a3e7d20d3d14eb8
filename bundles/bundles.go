// Package bundles joins the description of actions to the Go functions that carry them
// out.
package bundles

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"kota/metadata"
)

// A Bundle is a description whose actions are bound to functions, together with the
// resources and prompts of the bundle.
type Bundle struct {
	metadata.Bundle // New fills its Actions
	Actions         []Action
	Instructions    string // for every model that has the bundle, or ""; a caller does not see the sentences that name hidden tools
	Resources       []Resource
	Prompts         []Prompt
}

// ShareMetadata makes the bundle use the descriptions of another one with the same actions, so that the
// bundles of many people take less memory. It does nothing if the actions differ.
func (b *Bundle) ShareMetadata(with Bundle) {
	same := func(x, y Action) bool { return x.Tool == y.Tool }
	if b.Key != with.Key || !slices.EqualFunc(b.Actions, with.Actions, same) {
		return
	}
	b.Bundle = with.Bundle
	for i := range b.Actions {
		b.Actions[i].Action = with.Actions[i].Action
	}
}

// Broken returns a bundle that cannot work: its description, with reason as Unavailable,
// and without actions or workflows.
func Broken(about metadata.Bundle, reason string) Bundle {
	about.Unavailable, about.Actions, about.Workflows = reason, nil, nil
	return Bundle{Bundle: about}
}

// IsBroken reports whether Broken made the bundle.
func (b Bundle) IsBroken() bool { return len(b.Actions) == 0 && b.Unavailable != "" }

// MakeSchemas infers the input schemas of the actions. It panics if an input type has no
// schema. The pipeline calls it for each enabled bundle, so that the fault shows at start
// and not in the middle of a conversation.
func (b Bundle) MakeSchemas() {
	for _, a := range b.Actions {
		a.Input.Make()
	}
}

// Check returns an error if an action's schema refuses one of its examples. It panics if
// an input or output type has no schema. Only tests call it (bundletest.Run): the result
// cannot change in a running program.
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

// An Action is a described function. Prepare decodes args against the input schema,
// repairs common mistakes of models, and returns the call to run. It runs nothing itself.
// It returns a *metadata.Error with ValidationError if args do not fit.
type Action struct {
	metadata.Action
	EffectVaries bool // whether the effect of a call depends on its arguments
	Staged       any  // the *staged.Flow behind the action; nil unless the action is staged
	Prepare      func(args json.RawMessage) (Call, error)
}

// A Resource is text that can be read by its URI, without a call.
type Resource struct {
	Action      string // the name of the bundle's action that shows the same content: both are hidden together
	URI         string // "memory://context", or with a variable: "memory://{key}"
	Name        string
	Title       string // for people
	Description string
	MIME        string
	Read        func(ctx context.Context, variable string) (string, error) // variable is "" for a fixed URI
	Complete    Complete                                                   // completes the variable; nil if there are no suggestions
}

// A Prompt is a message that a person can pick in a client.
type Prompt struct {
	Action      string // the name of the bundle's action that the message asks for: both are hidden together
	Name        string
	Title       string // for people
	Description string
	Arguments   []Argument
	Text        func(ctx context.Context, args map[string]string) (string, error)
}

// An Argument is an argument of a Prompt.
type Argument struct {
	Name        string
	Description string
	Required    bool
	Complete    Complete // nil if there are no suggestions
}

// Complete returns values that match what a person has typed so far. Only the first
// MaxCompletions are used.
type Complete func(ctx context.Context, typed string) ([]string, error)

// MaxCompletions is the largest number of values a client accepts (MCP 2025-06-18,
// completion).
const MaxCompletions = 100
