//go:build conformance

// Package conformance has the tools, resources and prompts that the official conformance
// suite of MCP (@modelcontextprotocol/conformance) expects from a server. Their names and
// answers are those of the suite's scenarios. With them the suite tests parts of MCP that no
// bundle of KOTA uses: images, sampling, every form of question.
//
// No release contains them: the whole package has the build tag conformance, which only
// `make conformance` sets.
package conformance

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Add adds the tools, resources and prompts to a server that has not started to serve.
func Add(s *server.MCPServer) {
	addContents(s)
	addNotifiers(s)
	addQuestions(s)
	addRounds(s)
	addSchemas(s)
	addResources(s)
	addPrompts(s)
}

// An action is the work of a tool.
type action func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error)

func add(s *server.MCPServer, name, description string, do action, options ...mcp.ToolOption) {
	s.AddTool(mcp.NewTool(name, append(options, mcp.WithDescription(description))...), server.ToolHandlerFunc(do))
}

// constantAction returns an action with a constant answer.
func constantAction(content ...mcp.Content) action {
	return func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: content}, nil
	}
}
