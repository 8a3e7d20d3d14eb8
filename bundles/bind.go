package bundles

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"kota/metadata"
)

// A Call is an action with its arguments decoded, ready to run.
type Call struct {
	Effect         metadata.Effect // what this call does; the declared Effect covers it
	Do             func(ctx context.Context) (any, error)
	Draft          *Call // for a call that sends: the call that saves a draft instead; nil if it has none
	ConfirmsItself bool  // the handler itself calls ConfirmDestroy with exactly what it destroys

	metadata.ReadResult // how the arguments were understood
}

// An EffectReporter is an input that reports what its call really does, if that depends on the
// arguments. For example, a permanent deletion destroys, while a move to the trash writes.
type EffectReporter interface {
	Effect() metadata.Effect
}

// MaxName is the maximum length of a tool name. Clients add a prefix, and the whole name
// must stay below 64 characters.
const MaxName = 32

const maxSummary = 80

// IsName reports whether text has the form of a name: lower_snake_case.
func IsName(text string) bool { return nameForm.MatchString(text) }

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// Bind joins a description to the handler that carries it out. It infers both schemas
// from the handler's types and erases the types in one closure. If the result type is
// an interface such as any, the action has no output schema.
//
// It panics if the description has a bad name or effect. It also panics if the summary
// is empty, has several lines or is over 80 characters. The schemas are inferred on
// first use, so that a disabled bundle does not slow the start. MakeSchemas and Check
// find faults in the schemas.
func Bind[In, Out any](about metadata.Action, handler func(context.Context, In) (Out, error)) Action {
	return bind(about, reflect.TypeFor[Out](), typedHandler{
		in:    reflect.TypeFor[In](),
		newIn: func() any { return new(In) },
		do:    func(ctx context.Context, in any) (any, error) { return handler(ctx, *in.(*In)) },
		asDraft: func(in any) any {
			draftable, ok := in.(Draftable[In])
			if !ok {
				return nil
			}
			draft := draftable.AsDraft()
			return &draft
		},
	})
}

// A typedHandler is a handler without its types: each input is a pointer to a value of type in. The
// compiler makes code for each pair of types that Bind is used with. So Bind makes only this.
type typedHandler struct {
	in      reflect.Type
	newIn   func() any
	do      func(ctx context.Context, in any) (any, error)
	asDraft func(in any) any // returns the input of the draft, or nil if in is not Draftable
}

func bind(about metadata.Action, out reflect.Type, handler typedHandler) Action {
	if err := checkWords(about); err != nil {
		panic(fmt.Sprintf("bind action %q: %v", about.Name, err))
	}
	about.Input = lazySchema(handler.in, about.Name, "input")
	if out.Kind() != reflect.Interface {
		about.Output = lazySchema(out, about.Name, "output")
	}
	name, effect, input := about.Name, about.Effect, about.Input // prepare must not keep the rest in memory
	prepare := func(args json.RawMessage) (Call, error) {
		in := handler.newIn()
		reading, err := input.Read(args, in, effect)
		if err != nil {
			return Call{}, err
		}
		call, err := newCall(name, effect, handler, in, reading)
		if err != nil || call.Effect != metadata.Sends {
			return call, err
		}
		if draftIn := handler.asDraft(in); draftIn != nil {
			draft, err := newCall(name, effect, handler, draftIn, reading)
			if err != nil {
				return Call{}, err
			}
			if !metadata.Writes.Covers(draft.Effect) {
				return Call{}, fmt.Errorf("the draft of %s %s, but a draft may only read or write", name, draft.Effect)
			}
			call.Draft = &draft
		}
		return call, nil
	}
	_, graded := handler.newIn().(EffectReporter)
	return Action{Action: about, EffectVaries: graded, Prepare: prepare}
}

// newCall joins decoded arguments to the handler, with the effect of this call.
// It returns an error if the declared effect does not cover that effect.
func newCall(name string, effect metadata.Effect, handler typedHandler, in any, reading metadata.ReadResult) (Call, error) {
	call := Call{Effect: effect, ReadResult: reading, Do: func(ctx context.Context) (any, error) {
		return handler.do(ctx, in)
	}}
	if graded, ok := in.(EffectReporter); ok {
		call.Effect = graded.Effect()
	}
	_, call.ConfirmsItself = in.(SelfConfirmer)
	if !effect.Covers(call.Effect) {
		return Call{}, fmt.Errorf("a call of %s %s, but the action is declared as one that %s", name, call.Effect, effect)
	}
	return call, nil
}

func checkWords(about metadata.Action) error {
	switch {
	case !IsName(about.Name):
		return fmt.Errorf("the name is not lower_snake_case")
	case !about.Effect.Valid():
		return fmt.Errorf("effect %q is not one of %v", about.Effect, metadata.Effects)
	case strings.TrimSpace(about.Summary) == "":
		return fmt.Errorf("there is no summary")
	case utf8.RuneCountInString(about.Summary) > maxSummary:
		return fmt.Errorf("the summary is longer than %d characters", maxSummary)
	case strings.Contains(about.Summary, "\n"):
		return fmt.Errorf("the summary is longer than a line")
	}
	return nil
}

// lazySchema returns the schema of a type, which is inferred on first use. The first use panics if
// the type has no schema.
func lazySchema(of reflect.Type, action, side string) *metadata.Schema {
	use := schemaUse{of, action, side}
	if known, ok := lazySchemas.Load(use); ok {
		return known.(*metadata.Schema)
	}
	known, _ := lazySchemas.LoadOrStore(use, metadata.LazySchema(func() *metadata.Schema {
		schema, err := metadata.InferType(of)
		if err != nil {
			panic(fmt.Sprintf("bind action %q: %s: %v", action, side, err))
		}
		return schema
	}))
	return known.(*metadata.Schema)
}

// lazySchemas has the results of lazySchema, because a server binds the same actions for each person.
var lazySchemas sync.Map // schemaUse → *metadata.Schema

// A schemaUse is a type, and where it is used: an error of its schema names the action and the side.
type schemaUse struct {
	of           reflect.Type
	action, side string
}

// New assembles a bundle. It names the tools, keeps the order of the actions and fills
// the description's Actions. It panics if two actions share a name, or if a tool name
// exceeds 32 characters. It also panics if the description is incomplete or wrong, the
// phrases cannot be read, or a file of phrases belongs to no action.
func New(about metadata.Bundle, actions ...Action) Bundle {
	if err := checkBundle(about); err != nil {
		panic(fmt.Sprintf("assemble bundle %q: %v", about.Key, err))
	}
	if err := setPhrases(actions, about.Phrases); err != nil {
		panic(fmt.Sprintf("assemble bundle %q: %v", about.Key, err))
	}
	seen := map[string]bool{}
	about.Actions = make([]metadata.Action, 0, len(actions))
	for i := range actions {
		tool := about.Key + "_" + actions[i].Name
		if seen[tool] {
			panic(fmt.Sprintf("assemble bundle %q: two actions are named %q", about.Key, actions[i].Name))
		}
		if len(tool) > MaxName {
			panic(fmt.Sprintf("assemble bundle %q: the tool name %q is longer than %d characters", about.Key, tool, MaxName))
		}
		seen[tool] = true
		actions[i].Tool = tool
		about.Actions = append(about.Actions, actions[i].Action)
	}
	return Bundle{Bundle: about, Actions: actions}
}

func checkBundle(about metadata.Bundle) error {
	switch {
	case !IsName(about.Key):
		return fmt.Errorf("the key is not lower_snake_case")
	case about.Name == "" || about.Description == "":
		return fmt.Errorf("name and description are both needed")
	case about.Category != metadata.Core && about.Category != metadata.Optional:
		return fmt.Errorf("category %q is neither %q nor %q", about.Category, metadata.Core, metadata.Optional)
	case len(about.Tags) == 0:
		return fmt.Errorf("there are no tags")
	}
	for _, r := range about.Relationships {
		if r.Type != metadata.DependsOn && r.Type != metadata.RelatedTo {
			return fmt.Errorf("relationship type %q is neither %q nor %q", r.Type, metadata.DependsOn, metadata.RelatedTo)
		}
	}
	return nil
}
