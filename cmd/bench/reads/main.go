// Command reads is the least MCP server that does what memory_get does: mcp-go's
// own listeners, and one tool that reads a memory of a database of KOTA's by its
// key, with KOTA's driver. The benchmark measures KOTA against it, as against
// bare, which does nothing. Its arguments are the database and, to speak over HTTP
// instead of on stdin and stdout, an address.
package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	_ "modernc.org/sqlite"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "reads:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return errors.New("which database?")
	}
	db, err := sql.Open("sqlite", args[0])
	if err != nil {
		return err
	}
	byKey, err := db.Prepare("SELECT value FROM memories WHERE owner = 'local' AND norm = ?1 AND key = ?1 AND deleted IS NULL")
	if err != nil {
		return err
	}
	s := server.NewMCPServer("reads", "1", server.WithToolCapabilities(false))
	s.AddTool(mcp.NewTool("get", mcp.WithDescription("Read a memory."), mcp.WithString("key", mcp.Required())),
		func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var value string
			if err := byKey.QueryRowContext(ctx, request.GetString("key", "")).Scan(&value); err != nil {
				return nil, err
			}
			return mcp.NewToolResultText(value), nil
		})
	if len(args) > 1 {
		return server.NewStreamableHTTPServer(s).Start(args[1])
	}
	return server.ServeStdio(s)
}
