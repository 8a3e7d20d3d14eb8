package entrypoint

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kota/bundles"
	"kota/metadata"
)

// A completer completes what a person types into an argument of a prompt, or into
// the variable of a resource, as the bundles know how to.
type completer struct{ router *Router }

// completing makes a server complete.
func (r *Router) completing() []server.ServerOption {
	c := completer{r}
	return []server.ServerOption{server.WithCompletions(), server.WithPromptCompletionProvider(c), server.WithResourceCompletionProvider(c)}
}

// CompletePromptArgument completes an argument; one that there is not has no
// values.
func (c completer) CompletePromptArgument(ctx context.Context, name string, argument mcp.CompleteArgument, _ mcp.CompleteContext) (*mcp.Completion, error) {
	for _, prompt := range c.router.prompts() {
		for _, a := range prompt.Arguments {
			if prompt.Name == name && a.Name == argument.Name {
				return c.complete(ctx, "prompt "+name, a.Complete, argument.Value)
			}
		}
	}
	return c.complete(ctx, "", nil, "")
}

// CompleteResourceArgument completes the variable of a resource's URI.
func (c completer) CompleteResourceArgument(ctx context.Context, uri string, argument mcp.CompleteArgument, _ mcp.CompleteContext) (*mcp.Completion, error) {
	for _, resource := range c.router.resources() {
		if match := variable.FindStringSubmatch(resource.URI); match != nil && resource.URI == uri && match[1] == argument.Name {
			return c.complete(ctx, uri, resource.Complete, argument.Value)
		}
	}
	return c.complete(ctx, "", nil, "")
}

func (c completer) complete(ctx context.Context, what string, values bundles.Complete, typed string) (*mcp.Completion, error) {
	if values == nil {
		return &mcp.Completion{Values: []string{}}, nil
	}
	found, err := c.router.guard(ctx, what, metadata.Reads, func(ctx context.Context) (any, error) { return values(ctx, typed) })
	if err != nil {
		return nil, failed(ctx, classify(err))
	}
	all := found.([]string)
	most := min(len(all), bundles.MostCompleted)
	clean := make([]string, most)
	for i, value := range all[:most] {
		clean[i] = bundles.Clean(value)
	}
	return &mcp.Completion{Values: clean, HasMore: most == bundles.MostCompleted}, nil
}
