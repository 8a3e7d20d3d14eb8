package entrypoint

import (
	"context"
	"slices"
	"strings"

	"kota/metadata"
)

type describeIn struct {
	Bundle          string   `json:"bundle" doc:"its key"`
	Actions         []string `json:"actions,omitempty" doc:"only these: [\"set\"]"`
	IncludeExamples bool     `json:"include_examples,omitempty" default:"true"`
	Detail          string   `json:"detail,omitempty" enum:"schema,spec,brief" default:"schema" doc:"spec: 50-200 tokens an action; brief: a line"`
}

// describe returns everything a caller can know of a bundle, or of some of its
// actions, or a level of it: see levels. It answers NotFound, with the nearest
// names, for a bundle or an action that does not exist.
func (c *catalogue) describe(ctx context.Context, in describeIn) (any, error) {
	key, action := c.split(in.Bundle)
	if action != "" && len(in.Actions) == 0 {
		in.Actions = []string{action}
	}
	about, ok := c.bundle(key)
	if !ok {
		return nil, c.unknownBundle(in.Bundle)
	}
	if len(in.Actions) > 0 {
		if err := c.unavailable(about, in.Actions); err != nil {
			return nil, err
		}
		chosen, err := choose(about, in.Actions)
		if err != nil {
			return nil, err
		}
		about.Actions = chosen
	}
	if in.Detail == detailBrief || in.Detail == detailSpec {
		return levels(about, in.Detail), nil
	}
	about.Actions = slices.Clone(about.Actions)
	c.companions.add(ctx, about.Actions, c.enabledTools)
	if !in.IncludeExamples {
		about.Workflows = nil
		for i := range about.Actions {
			about.Actions[i].Examples = nil
		}
	}
	return about, nil
}

// enabledTools are the tools that some call may run.
func (c *catalogue) enabledTools() map[string]bool {
	tools := map[string]bool{}
	for _, a := range c.actions {
		tools[a.Tool] = a.bundle.Enabled
	}
	return tools
}

// split reads a bundle key, or a tool name given in its place.
func (c *catalogue) split(name string) (key, action string) {
	name = strings.TrimSpace(name)
	for _, a := range c.actions {
		if a.Tool == name {
			return a.bundle.Key, a.Name
		}
	}
	return name, ""
}

// unavailable says which line of bundles.yaml is in the way of an action that
// is asked for by name, as a call of it would.
func (c *catalogue) unavailable(about metadata.Bundle, names []string) error {
	for _, a := range c.withheld {
		if a.bundle.Key == about.Key && (slices.Contains(names, a.Name) || slices.Contains(names, a.Tool)) {
			return c.policy.withheld(a.Action)
		}
	}
	for _, name := range names {
		is := func(h concealed) bool { return h.bundle.Key == about.Key && (h.Name == name || h.Tool == name) }
		if err := c.explained(metadata.NotFound, about.Key+" "+name, is); err != nil {
			return err
		}
	}
	return nil
}

// choose returns the named actions of the bundle in the order asked for; each
// may be given as an action or as a tool name. All unknown names are reported
// at once.
func choose(about metadata.Bundle, names []string) ([]metadata.Action, error) {
	chosen := []metadata.Action{}
	known := []string{}
	for _, a := range about.Actions {
		known = append(known, a.Name)
	}
	var problems []metadata.Problem
	for _, name := range names {
		i := slices.IndexFunc(about.Actions, func(a metadata.Action) bool { return a.Name == name || a.Tool == name })
		if i < 0 {
			problems = append(problems, unknownName("actions", "an action of "+about.Key, name, known))
			continue
		}
		chosen = append(chosen, about.Actions[i])
	}
	if len(problems) > 0 {
		e := metadata.Errorf(metadata.NotFound, "%s has no action %s", about.Key, quoted(problems))
		e.Problems = problems
		return nil, e.WithHint("Its actions are %s.", strings.Join(known, ", "))
	}
	return chosen, nil
}

func (c *catalogue) unknownBundle(name string) error {
	if err := c.explained(metadata.NotFound, name, func(h concealed) bool { return h.bundle.Key == name || h.Tool == name }); err != nil {
		return err
	}
	e := metadata.Errorf(metadata.NotFound, "there is no bundle %q", shorten(name))
	e.Problems = []metadata.Problem{unknownName("bundle", "the key of a bundle", name, c.keys())}
	return e.WithHint("The bundles are %s.", strings.Join(c.keys(), ", "))
}

func unknownName(path, expected, name string, known []string) metadata.Problem {
	p := metadata.Problem{Path: path, Expected: expected, Got: shorten(name)}
	if near := metadata.Nearest(name, known, 1); len(near) > 0 {
		p.Suggestion = near[0]
	}
	return p
}

func quoted(problems []metadata.Problem) string {
	names := make([]string, 0, len(problems))
	for _, p := range problems {
		names = append(names, `"`+p.Got+`"`)
	}
	return strings.Join(names, ", ")
}
