//go:build conformance

// Package conformance is the tools, resources and prompts that the official
// conformance suite of MCP (@modelcontextprotocol/conformance) wants a server to
// have, by the names and with the answers that its scenarios expect. With them
// the suite reaches what no bundle of KOTA's does: images, sampling, questions of
// every form.
//
// They are in no release: all of it is behind the build tag conformance, which
// `make conformance` alone sets.
package conformance

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Add adds them to a server that does not serve yet.
func Add(s *server.MCPServer) {
	addContents(s)
	addTelling(s)
	addQuestions(s)
	addRounds(s)
	addSchemas(s)
	addResources(s)
	addPrompts(s)
}

// An action is what a tool does.
type action func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error)

func add(s *server.MCPServer, name, description string, do action, options ...mcp.ToolOption) {
	s.AddTool(mcp.NewTool(name, append(options, mcp.WithDescription(description))...), server.ToolHandlerFunc(do))
}

// answering is an action that always answers the same.
func answering(content ...mcp.Content) action {
	return func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: content}, nil
	}
}
