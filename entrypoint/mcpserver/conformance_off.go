//go:build !conformance

package mcpserver

import "github.com/mark3labs/mcp-go/server"

// addConformanceTools adds nothing in a release build: see entrypoint/conformance.
func addConformanceTools(*server.MCPServer, *server.Hooks) {}
