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

// The values of describeIn.Include. If a request names actions, the description has these
// parts only on request.
const (
	includeOutput    = "output"    // the output schemas
	includeWorkflows = "workflows" // the bundle's workflows and relationships
	includeExamples  = "examples"  // all examples instead of one
)

// A Description is a whole bundle, or the requested part of it.
type Description struct {
	metadata.Bundle
	Missing []MissingAction `json:"missing,omitempty"` // requested actions that are not shown
}

// describeTool binds kota_describe_bundle. If the argument bundle is missing, it takes the
// bundle from the names of tools in the arguments.
func (c *Catalogue) describeTool(about metadata.Action) bundles.Action {
	action := bundles.Bind(about, func(ctx context.Context, in describeIn) (any, error) {
		in, notes := c.normalizeNames(in)
		entrypoint.NoteRepairs(ctx, entrypoint.ToolsKey+"_"+about.Name, notes)
		if slices.Contains(in.Include, includeOutput) {
			entrypoint.MarkReadByProgram(ctx)
		}
		return c.describe(ctx, in)
	})
	prepare := action.Prepare
	action.Prepare = func(args json.RawMessage) (bundles.Call, error) {
		call, err := prepare(args)
		if err == nil {
			return call, nil
		}
		key := c.impliedBundle(args)
		if key == "" {
			return bundles.Call{}, err
		}
		members, _ := metadata.Members(args)
		members["bundle"] = json.RawMessage(strconv.Quote(key))
		if args, err = json.Marshal(members); err != nil {
			return bundles.Call{}, err
		}
		call, err = prepare(args)
		call.Repaired = append(call.Repaired, "bundle read as "+key)
		return call, err
	}
	return action
}

// describe returns a whole bundle, or what calls of the requested actions need, or a
// shorter level of either: see describeLevel. The names must be as normalizeNames returns
// them. If the bundle or all requested actions are missing, it returns an error: why they are
// disabled or hidden, or NotFound with the nearest names. Otherwise the answer lists the
// missing actions.
func (c *Catalogue) describe(ctx context.Context, in describeIn) (any, error) {
	about, ok := c.bundle(in.Bundle)
	if !ok {
		return nil, c.unknownBundleError(in.Bundle)
	}
	about.Unavailable = c.unavailableReason(about)
	var missing []MissingAction
	if len(in.Actions) > 0 {
		var err error
		if about.Actions, missing, err = c.selectActions(about, in.Actions); err != nil {
			return nil, err
		}
	}
	if in.Detail == detailBrief || in.Detail == detailSpec {
		return describeLevel(about, in.Detail, missing), nil
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

// narrow reduces a bundle to what calls of its actions need: input, one example, errors
// and notes. Include adds the rest.
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

// enabledTools returns, for each tool that the policy offers, whether its bundle is enabled.
func (c *Catalogue) enabledTools() map[string]bool {
	tools := map[string]bool{}
	for _, a := range c.actions {
		tools[a.Tool] = a.bundle.Enabled
	}
	return tools
}

func (c *Catalogue) unknownBundleError(name string) error {
	if err := c.hiddenError(metadata.NotFound, name, func(h hiddenAction) bool { return h.bundle.Key == name || h.Tool == name }); err != nil {
		return err
	}
	if err := c.similarHiddenError(metadata.NotFound, name); err != nil {
		return err
	}
	e := metadata.Errorf(metadata.NotFound, "there is no bundle %q", metadata.Shorten(name))
	e.Problems = []metadata.Problem{metadata.UnknownName("bundle", "the key of a bundle", name, c.keys())}
	return e.WithHint("%s", bundlesHint(c.keys()))
}

func quoteNames(problems []metadata.Problem) string {
	names := make([]string, 0, len(problems))
	for _, p := range problems {
		names = append(names, `"`+p.Got+`"`)
	}
	return strings.Join(names, ", ")
}
