//go:build conformance

package conformance

import (
	"context"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func addPrompts(s *server.MCPServer) {
	prompt := func(name string, messages func(args map[string]string) []mcp.Content, arguments ...string) {
		options := []mcp.PromptOption{mcp.WithPromptDescription("A prompt for testing.")}
		for _, argument := range arguments {
			options = append(options, mcp.WithArgument(argument, mcp.RequiredArgument(), mcp.ArgumentDescription("a test argument")))
		}
		s.AddPrompt(mcp.NewPrompt(name, options...), func(_ context.Context, request mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return promptResult(messages(request.Params.Arguments)...), nil
		})
	}
	prompt("test_simple_prompt", func(map[string]string) []mcp.Content {
		return []mcp.Content{mcp.NewTextContent("This is a simple prompt for testing.")}
	})
	prompt("test_prompt_with_arguments", func(args map[string]string) []mcp.Content {
		return []mcp.Content{mcp.NewTextContent(fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", args["arg1"], args["arg2"]))}
	}, "arg1", "arg2")
	prompt("test_prompt_with_embedded_resource", func(args map[string]string) []mcp.Content {
		return []mcp.Content{
			embedded(args["resourceUri"], "text/plain", "Embedded resource content for testing."),
			mcp.NewTextContent("Please process the embedded resource above."),
		}
	}, "resourceUri")
	prompt("test_prompt_with_image", func(map[string]string) []mcp.Content {
		return []mcp.Content{mcp.NewImageContent(redDot, "image/png"), mcp.NewTextContent("Please analyze the image above.")}
	})
	s.AddPrompt(mcp.NewPrompt("test_input_required_result_prompt", mcp.WithPromptDescription("Asks before it answers.")),
		func(_ context.Context, request mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			if server.ElicitationResponse(request.Params.InputResponses, "user_context") == nil {
				ask := elicit("What context should the prompt use?", object{"context": object{"type": "string"}}, "context")
				return server.NewInputRequestBuilder("").Elicit("user_context", ask).PromptResult(), nil
			}
			return promptResult(mcp.NewTextContent("This is a prompt in the user's context.")), nil
		})
}

// promptResult returns a prompt with these user messages.
func promptResult(contents ...mcp.Content) *mcp.GetPromptResult {
	result := &mcp.GetPromptResult{Description: "A prompt for testing."}
	for _, content := range contents {
		result.Messages = append(result.Messages, mcp.NewPromptMessage(mcp.RoleUser, content))
	}
	return result
}
