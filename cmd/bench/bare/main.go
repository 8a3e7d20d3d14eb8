// Command bare is the least that an MCP server can be: mcp-go's own listener
// and one tool that echoes. The benchmark measures KOTA against it.
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
	if err := server.ServeStdio(s); err != nil {
		fmt.Fprintln(os.Stderr, "bare:", err)
		os.Exit(1)
	}
}

func echo(_ context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return mcp.NewToolResultText(request.GetString("text", "")), nil
}
