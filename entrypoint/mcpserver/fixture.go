//go:build !conformance

package mcpserver

import "github.com/mark3labs/mcp-go/server"

// addFixture adds nothing in a release build: see entrypoint/conformance.
func addFixture(*server.MCPServer, *server.Hooks) {}
