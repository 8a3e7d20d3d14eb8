package entrypoint

import (
	"context"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kota/bundles"
	"kota/metadata"
)

// addPrompts registers the guide and the prompts of every enabled bundle, and
// returns their names.
func addPrompts(s *server.MCPServer, r *Router) (names []string) {
	for _, prompt := range r.prompts() {
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

// prompts are the guide and those of every enabled bundle.
func (r *Router) prompts() []bundles.Prompt {
	all := slices.Clone(r.kota.Prompts)
	for _, b := range r.installed {
		if b.Enabled {
			all = append(all, b.Prompts...)
		}
	}
	return all
}

// promptHandler checks the arguments, which mcp-go does not, and renders the
// prompt as one message of the user's.
func promptHandler(r *Router, prompt bundles.Prompt) server.PromptHandlerFunc {
	return func(ctx context.Context, request mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		for _, a := range prompt.Arguments {
			if a.Required && strings.TrimSpace(request.Params.Arguments[a.Name]) == "" {
				return nil, failed(ctx, metadata.Errorf(metadata.ValidationError, "the prompt %q needs the argument %q: %s", prompt.Name, a.Name, a.Description))
			}
		}
		text, err := r.guard(ctx, "prompt "+prompt.Name, metadata.Reads, func(ctx context.Context) (any, error) { return prompt.Text(ctx, request.Params.Arguments) })
		if err != nil {
			return nil, failed(ctx, classify(err))
		}
		message := mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(bundles.Clean(text.(string))))
		return mcp.NewGetPromptResult(prompt.Description, []mcp.PromptMessage{message}), nil
	}
}
