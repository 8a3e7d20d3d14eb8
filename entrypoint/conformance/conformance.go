//go:build conformance

// Package conformance has the tools, resources and prompts that the official conformance
// suite of MCP (@modelcontextprotocol/conformance) expects from a server. They have the
// names and answers that its scenarios require. With them the suite tests what no bundle
// of KOTA uses: images, sampling, every form of question.
//
// They are in no release: the whole package has the build tag conformance, which only
// `make conformance` sets.
package conformance

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Add adds them to a server that has not started to serve.
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
