// Command inserts is the least MCP server that writes: mcp-go's own listeners, and
// one tool that inserts one row at synchronous=FULL, with KOTA's driver. The
// benchmark measures memory_set against it. Its arguments are the database, which
// it makes, and an address, to speak over HTTP instead of on stdin and stdout.
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
		fmt.Fprintln(os.Stderr, "inserts:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return errors.New("which database?")
	}
	db, err := sql.Open("sqlite", args[0]+"?_journal_mode=WAL&_synchronous=FULL")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("CREATE TABLE bare (key TEXT PRIMARY KEY, value TEXT) STRICT"); err != nil {
		return err
	}
	insert, err := db.Prepare("INSERT INTO bare VALUES (?, ?)")
	if err != nil {
		return err
	}
	s := server.NewMCPServer("inserts", "1", server.WithToolCapabilities(false))
	s.AddTool(mcp.NewTool("set", mcp.WithDescription("Insert a row."), mcp.WithString("key", mcp.Required()), mcp.WithString("value", mcp.Required())),
		func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if _, err := insert.ExecContext(ctx, request.GetString("key", ""), request.GetString("value", "")); err != nil {
				return nil, err
			}
			return mcp.NewToolResultText("created"), nil
		})
	if len(args) > 1 {
		return server.NewStreamableHTTPServer(s).Start(args[1])
	}
	return server.ServeStdio(s)
}
