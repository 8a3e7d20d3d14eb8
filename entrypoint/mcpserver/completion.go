package mcpserver

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kota/bundles"
	"kota/entrypoint"
)

// A completer completes the typed part of a prompt's argument or of a resource's
// variable. The bundles provide the values.
type completer struct{ router *entrypoint.Router }

// completionOptions returns the server options that enable completion.
func completionOptions(r *entrypoint.Router) []server.ServerOption {
	c := completer{r}
	return []server.ServerOption{server.WithCompletions(), server.WithPromptCompletionProvider(c), server.WithResourceCompletionProvider(c)}
}

// CompletePromptArgument completes an argument. It returns no values for an unknown
// argument.
func (c completer) CompletePromptArgument(ctx context.Context, name string, argument mcp.CompleteArgument, _ mcp.CompleteContext) (*mcp.Completion, error) {
	for _, prompt := range c.router.Prompts() {
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
	for _, resource := range c.router.Resources() {
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
	found, err := c.router.Complete(ctx, what, values, typed)
	if err != nil {
		return nil, storeError(ctx, err)
	}
	return &mcp.Completion{Values: found, HasMore: len(found) == bundles.MaxCompletions}, nil
}
