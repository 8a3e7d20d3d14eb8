// Command bare is a minimal MCP server: mcp-go's own listeners and one tool
// that echoes. The benchmark compares KOTA with it. It serves on stdin and
// stdout, or over HTTP if its argument is an address.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func main() {
	s := server.NewMCPServer("bare", "1", server.WithToolCapabilities(false))
	s.AddTool(mcp.NewTool("echo", mcp.WithDescription("Echo a text."), mcp.WithString("text", mcp.Required())), echo)
	serve := func() error { return server.ServeStdio(s) }
	if len(os.Args) > 1 {
		serve = func() error { return server.NewStreamableHTTPServer(s).Start(os.Args[1]) }
	}
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, "bare:", err)
		os.Exit(1)
	}
}

func echo(_ context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return mcp.NewToolResultText(request.GetString("text", "")), nil
}
