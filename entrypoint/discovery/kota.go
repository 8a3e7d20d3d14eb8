package discovery

import (
	"context"
	"fmt"

	"kota/bundles"
	"kota/entrypoint"
	"kota/metadata"
)

type runIn struct {
	Bundle string         `json:"bundle" doc:"its key"`
	Action string         `json:"action" doc:"its name: \"get\""`
	Args   map[string]any `json:"args,omitempty" doc:"the action's arguments, as described"`
}

// kotaTools returns the bundle of the four tools that find, describe and call all other
// actions.
func (c *Catalogue) kotaTools() bundles.Bundle {
	about := metadata.Bundle{
		Key: entrypoint.ToolsKey, Name: "KOTA discovery", Description: "Find, describe and call any action.",
		Category: metadata.Core, Tags: []string{"discovery"}, Enabled: true,
	}
	b := bundles.New(about,
		bundles.Bind(metadata.Action{
			Name: "discover_bundles", Effect: metadata.Reads,
			Summary:     "Browse or search what KOTA can do.",
			Description: "Without query: the bundles. With query: the best actions with signatures (* is required), ready to call.",
			Examples:    []metadata.Example{{Title: "Search", Args: discoverIn{Query: "remember a preference", EnabledOnly: true}}},
		}, func(ctx context.Context, in discoverIn) (any, error) {
			key, _, notes := c.resolveBundle(in.Bundle)
			entrypoint.NoteRepairs(ctx, entrypoint.ToolsKey+"_discover_bundles", notes)
			in.Bundle = key
			return c.discover(ctx, in)
		}),
		c.describeTool(metadata.Action{
			Name: "describe_bundle", Effect: metadata.Reads,
			Summary:  "Describe a bundle: full schemas, examples, errors, related bundles.",
			Examples: []metadata.Example{{Title: "One action", Args: describeIn{Bundle: "memory", Actions: []string{"set"}, IncludeExamples: true}}},
			Errors:   []metadata.Code{metadata.NotFound},
		}),
		entryPoint(metadata.Action{
			Name: "entry_point", Effect: metadata.Sends,
			Summary:     "Run any action of any bundle.",
			Description: "Same checks and answer as its direct tool.",
			Examples:    []metadata.Example{{Title: "Remember", Args: runIn{Bundle: "memory", Action: "set", Args: map[string]any{"key": "theme", "value": "dark"}}}},
			Errors:      []metadata.Code{metadata.ToolNotFound, metadata.ValidationError},
		}),
		entryPoint(metadata.Action{
			Name: "read", Effect: metadata.Reads,
			Summary:     "Run an action that only reads.",
			Description: "Dry runs count; refuses every other call.",
			Examples:    []metadata.Example{{Title: "Recall", Args: runIn{Bundle: "memory", Action: "get", Args: map[string]any{"query": "theme"}}}},
			Errors:      []metadata.Code{metadata.ToolNotFound, metadata.ValidationError, metadata.Refused},
		}),
	)
	b.Resources, b.Prompts = c.resources(), []bundles.Prompt{c.guide()}
	return b
}

// Tools returns the four tools, the resources that show the catalogue, and the guide.
func (c *Catalogue) Tools() bundles.Bundle { return c.kota }

// entryPoint binds a tool that runs other actions. The router resolves its calls with Target
// and never calls its handler.
func entryPoint(about metadata.Action) bundles.Action {
	return bundles.Bind(about, func(context.Context, runIn) (any, error) {
		return nil, fmt.Errorf("%s was called instead of its target", about.Name)
	})
}
