package mcpserver

import (
	"context"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kota/bundles"
	"kota/entrypoint"
	"kota/metadata"
)

// addPrompts registers the guide and the prompts of every enabled bundle. It returns their names.
func addPrompts(s *server.MCPServer, r *entrypoint.Router) (names []string) {
	for _, prompt := range r.Prompts() {
		names = append(names, prompt.Name)
		options := []mcp.PromptOption{mcp.WithPromptTitle(prompt.Title), mcp.WithPromptDescription(prompt.Description)}
		for _, a := range prompt.Arguments {
			about := []mcp.ArgumentOption{mcp.ArgumentDescription(a.Description)}
			if a.Required {
				about = append(about, mcp.RequiredArgument())
			}
			options = append(options, mcp.WithArgument(a.Name, about...))
		}
		s.AddPrompt(mcp.NewPrompt(prompt.Name, options...), promptHandler(r, prompt))
	}
	return names
}

// promptHandler checks that the required arguments are present, since mcp-go does not. It
// renders the prompt as one user message.
func promptHandler(r *entrypoint.Router, prompt bundles.Prompt) server.PromptHandlerFunc {
	return func(ctx context.Context, request mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		for _, a := range prompt.Arguments {
			if a.Required && strings.TrimSpace(request.Params.Arguments[a.Name]) == "" {
				return nil, storeError(ctx, metadata.Errorf(metadata.ValidationError, "the prompt %q needs the argument %q: %s", prompt.Name, a.Name, a.Description))
			}
		}
		text, err := r.RenderPrompt(ctx, prompt, request.Params.Arguments)
		if err != nil {
			return nil, storeError(ctx, err)
		}
		message := mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(text))
		return mcp.NewGetPromptResult(prompt.Description, []mcp.PromptMessage{message}), nil
	}
}
