package discovery

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"kota/bundles"
	"kota/entrypoint"
	"kota/metadata"
)

type describeIn struct {
	Bundle          string   `json:"bundle" alias:"key,name,bundle_key,tool,tool_name" doc:"its key"`
	Actions         []string `json:"actions,omitempty" doc:"only these: [\"set\"]"`
	IncludeExamples bool     `json:"include_examples,omitempty" default:"true"`
	Include         []string `json:"include,omitempty" enum:"output,workflows,examples" doc:"with actions: these too"`
	Detail          string   `json:"detail,omitempty" enum:"schema|full,spec|signatures,brief|names" default:"schema" doc:"spec: 50-200 tokens an action; brief: a line"`
}

// What a description of some actions has only on request.
const (
	includeOutput    = "output"    // the schemas of their answers
	includeWorkflows = "workflows" // of the bundle, and the bundles it relates to
	includeExamples  = "examples"  // all of them, and not one alone
)

// A Description is a bundle in full, or as much of it as was asked for.
type Description struct {
	metadata.Bundle
	Missing []Missing `json:"missing,omitempty"` // of the actions asked for
}

// describer binds kota_describe_bundle. A tool that is named implies its bundle.
func (c *Catalogue) describer(about metadata.Action) bundles.Action {
	action := bundles.Bind(about, func(ctx context.Context, in describeIn) (any, error) {
		in, notes := c.understood(in)
		entrypoint.NoteRepairs(ctx, entrypoint.ToolsKey+"_"+about.Name, notes)
		if slices.Contains(in.Include, includeOutput) {
			entrypoint.NoteOutputWanted(ctx)
		}
		return c.describe(ctx, in)
	})
	whole := action.Prepare
	action.Prepare = func(args json.RawMessage) (bundles.Call, error) {
		call, err := whole(args)
		if err == nil {
			return call, nil
		}
		key := c.bundleOf(args)
		if key == "" {
			return bundles.Call{}, err
		}
		named, _ := metadata.Members(args)
		named["bundle"] = json.RawMessage(strconv.Quote(key))
		if args, err = json.Marshal(named); err != nil {
			return bundles.Call{}, err
		}
		call, err = whole(args)
		call.Repaired = append(call.Repaired, "bundle read as "+key)
		return call, err
	}
	return action
}

// describe returns everything a caller can know of a bundle, or what a call of some
// of its actions needs, or a level of it: see levels. They are asked for as understood says. It answers NotFound, with the nearest
// names, for a bundle that does not exist, and for actions when none of them
// does; else it says which are missing.
func (c *Catalogue) describe(ctx context.Context, in describeIn) (any, error) {
	about, ok := c.bundle(in.Bundle)
	if !ok {
		return nil, c.unknownBundle(in.Bundle)
	}
	about.Unavailable = c.unavailableNow(about)
	var missing []Missing
	if len(in.Actions) > 0 {
		var err error
		if about.Actions, missing, err = c.choose(about, in.Actions); err != nil {
			return nil, err
		}
	}
	if in.Detail == detailBrief || in.Detail == detailSpec {
		return levels(about, in.Detail, missing), nil
	}
	about.Actions = slices.Clone(about.Actions)
	c.usedWith.add(ctx, about.Actions, c.enabledTools)
	if !in.IncludeExamples {
		about.Workflows = nil
		for i := range about.Actions {
			about.Actions[i].Examples = nil
		}
	}
	if len(in.Actions) > 0 {
		in.narrow(&about)
	}
	return Description{about, missing}, nil
}

// narrow leaves of a bundle what a call of the actions asked for needs: their
// input, one example, errors and notes. Include adds the rest.
func (in describeIn) narrow(about *metadata.Bundle) {
	if !slices.Contains(in.Include, includeWorkflows) {
		about.Workflows, about.Relationships = nil, []metadata.Relationship{}
	}
	for i := range about.Actions {
		a := &about.Actions[i]
		if !slices.Contains(in.Include, includeOutput) {
			a.Output = nil
		}
		if !slices.Contains(in.Include, includeExamples) {
			a.Examples = a.Examples[:min(1, len(a.Examples))]
		}
	}
}

// enabledTools are the tools that some call may run.
func (c *Catalogue) enabledTools() map[string]bool {
	tools := map[string]bool{}
	for _, a := range c.actions {
		tools[a.Tool] = a.bundle.Enabled
	}
	return tools
}

func (c *Catalogue) unknownBundle(name string) error {
	if err := c.explained(metadata.NotFound, name, func(h hiddenAction) bool { return h.bundle.Key == name || h.Tool == name }); err != nil {
		return err
	}
	if err := c.hiddenLike(metadata.NotFound, name); err != nil {
		return err
	}
	e := metadata.Errorf(metadata.NotFound, "there is no bundle %q", metadata.Shorten(name))
	e.Problems = []metadata.Problem{metadata.UnknownName("bundle", "the key of a bundle", name, c.keys())}
	return e.WithHint("%s", theBundles(c.keys()))
}

func quoted(problems []metadata.Problem) string {
	names := make([]string, 0, len(problems))
	for _, p := range problems {
		names = append(names, `"`+p.Got+`"`)
	}
	return strings.Join(names, ", ")
}
