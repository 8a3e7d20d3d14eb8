package entrypoint

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"kota/bundles"
	"kota/metadata"
)

type runIn struct {
	Bundle string         `json:"bundle" doc:"its key: \"memory\""`
	Action string         `json:"action" doc:"its name: \"set\""`
	Args   map[string]any `json:"args,omitempty" doc:"the action's arguments, as described"`
}

// kotaTools are the four tools through which everything else can be found,
// read up on and called. They are actions like any other.
func (r *Router) kotaTools() bundles.Bundle {
	about := metadata.Bundle{
		Key: kotaKey, Name: "KOTA discovery", Description: "Find, read up on and call any action.",
		Category: metadata.Core, Tags: []string{"discovery"}, Enabled: true,
	}
	return bundles.New(about,
		bundles.Bind(metadata.Action{
			Name: "discover_bundles", Effect: metadata.Reads,
			Summary:     "Browse or search what KOTA can do.",
			Description: "Without query: the bundles. With query: the best actions with signatures (* is required), ready to call.",
			Examples:    []metadata.Example{{Title: "Search", Args: discoverIn{Query: "remember a preference", EnabledOnly: true}}},
		}, func(ctx context.Context, in discoverIn) (any, error) { return r.catalogue.discover(ctx, in) }),
		bundles.Bind(metadata.Action{
			Name: "describe_bundle", Effect: metadata.Reads,
			Summary:  "Describe a bundle: full schemas, examples, errors, related bundles.",
			Examples: []metadata.Example{{Title: "One action", Args: describeIn{Bundle: "memory", Actions: []string{"set"}, IncludeExamples: true}}},
			Errors:   []metadata.Code{metadata.NotFound},
		}, r.catalogue.describe),
		r.runner(metadata.Action{
			Name: "entry_point", Effect: metadata.Sends,
			Summary:     "Run any action of any bundle.",
			Description: "Same checks and answer as its direct tool.",
			Examples:    []metadata.Example{{Title: "Remember", Args: runIn{Bundle: "memory", Action: "set", Args: map[string]any{"key": "theme", "value": "dark"}}}},
			Errors:      []metadata.Code{metadata.ToolNotFound, metadata.ValidationError},
		}, func(bundles.Action) error { return nil }),
		r.runner(metadata.Action{
			Name: "read", Effect: metadata.Reads,
			Summary:     "Run an action that only reads.",
			Description: "Refuses every other action.",
			Examples:    []metadata.Example{{Title: "Recall", Args: runIn{Bundle: "memory", Action: "get", Args: map[string]any{"query": "theme"}}}},
			Errors:      []metadata.Code{metadata.ToolNotFound, metadata.ValidationError, metadata.Refused},
		}, readsOnly),
	)
}

// readsOnly fails closed: an action runs through kota_read only if it declares
// that it changes nothing.
func readsOnly(a bundles.Action) error {
	if a.Effect == metadata.Reads {
		return nil
	}
	return metadata.Errorf(metadata.Refused, "%s %s: kota_read runs actions that only read", a.Tool, a.Effect).
		WithHint("Call %s directly or through kota_entry_point.", a.Tool)
}

// runner binds a tool that runs the actions admitted. The arguments of the
// action reach its own schema byte for byte.
func (r *Router) runner(about metadata.Action, admit func(bundles.Action) error) bundles.Action {
	action := bundles.Bind(about, func(context.Context, runIn) (any, error) { return nil, nil })
	input := action.Input
	action.Prepare = func(args json.RawMessage) (bundles.Call, error) {
		var in struct {
			Bundle string          `json:"bundle"`
			Action string          `json:"action"`
			Args   json.RawMessage `json:"args"`
		}
		if err := input.Decode(args, &in); err != nil {
			return bundles.Call{}, err
		}
		inner, err := r.inner(in.Bundle, in.Action)
		if err != nil {
			return bundles.Call{}, err
		}
		if err := admit(inner); err != nil {
			return bundles.Call{}, err
		}
		return bundles.Call{Effect: inner.Effect, Do: func(ctx context.Context) (any, error) {
			return r.carryOut(ctx, inner, in.Args)
		}}, nil
	}
	return action
}

// inner finds the action an entry point is to run. The tool's name in place of
// the action's is understood, since models mix them up.
func (r *Router) inner(bundle, action string) (bundles.Action, error) {
	i := slices.IndexFunc(r.installed, func(b bundles.Bundle) bool { return b.Key == bundle && b.Enabled })
	if i < 0 {
		return bundles.Action{}, r.unknownBundle(bundle)
	}
	b := r.installed[i]
	known := []string{}
	for _, a := range b.Actions {
		if a.Name == action || a.Tool == action {
			return a, nil
		}
		known = append(known, a.Name)
	}
	is := func(h concealed) bool { return h.bundle.Key == bundle && (h.Name == action || h.Tool == action) }
	if err := r.catalogue.explained(metadata.ToolNotFound, bundle+" "+action, is); err != nil {
		return bundles.Action{}, err
	}
	e := metadata.Errorf(metadata.ToolNotFound, "%s has no action %q", bundle, shorten(action))
	e.Problems = []metadata.Problem{unknownName("action", "an action of "+bundle, action, known)}
	return bundles.Action{}, e.WithHint("Its actions are %s.", strings.Join(known, ", "))
}

func (r *Router) unknownBundle(name string) error {
	known := []string{}
	for _, b := range r.installed {
		if b.Enabled {
			known = append(known, b.Key)
		}
		if b.Key == name && !b.Enabled {
			return bundleOff(name)
		}
	}
	if err := r.catalogue.explained(metadata.ToolNotFound, name, func(h concealed) bool { return h.bundle.Key == name }); err != nil {
		return err
	}
	e := metadata.Errorf(metadata.ToolNotFound, "there is no bundle %q", shorten(name))
	e.Problems = []metadata.Problem{unknownName("bundle", "the key of a bundle that is on", name, known)}
	return e.WithHint("The bundles are %s.", strings.Join(known, ", "))
}

func bundleOff(key string) error {
	return metadata.Errorf(metadata.ToolNotFound, "the bundle %q is off", key).
		WithHint("The user can switch it on with `kota bundles enable %s`.", key)
}
