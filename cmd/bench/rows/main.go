// Command rows is a minimal MCP server that reads or inserts one row. It has
// mcp-go's own listeners, one tool, and KOTA's SQLite driver. The benchmark
// compares KOTA with it.
//
// Its arguments are get or set, a database and, for HTTP instead of stdin and
// stdout, an address. get reads a memory by its key from a KOTA database, as
// memory_get does. set makes its database and commits at synchronous=FULL, as
// memory_set does.
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
		fmt.Fprintln(os.Stderr, "rows:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 2 {
		return errors.New("usage: rows get|set DATABASE [ADDRESS]")
	}
	open := map[string]func(string) (server.ServerTool, error){"get": get, "set": set}[args[0]]
	if open == nil {
		return fmt.Errorf("%q is neither get nor set", args[0])
	}
	tool, err := open(args[1])
	if err != nil {
		return err
	}
	s := server.NewMCPServer("rows", "1", server.WithToolCapabilities(false))
	s.AddTools(tool)
	if len(args) > 2 {
		return server.NewStreamableHTTPServer(s).Start(args[2])
	}
	return server.ServeStdio(s)
}

// get returns the tool that reads a memory.
func get(path string) (server.ServerTool, error) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return server.ServerTool{}, err
	}
	byKey, err := db.Prepare("SELECT value FROM memories WHERE owner = 'local' AND norm = ?1 AND key = ?1 AND deleted IS NULL")
	if err != nil {
		return server.ServerTool{}, err
	}
	return server.ServerTool{
		Tool: mcp.NewTool("get", mcp.WithDescription("Read a memory."), mcp.WithString("key", mcp.Required())),
		Handler: func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var value string
			if err := byKey.QueryRowContext(ctx, request.GetString("key", "")).Scan(&value); err != nil {
				return nil, err
			}
			return mcp.NewToolResultText(value), nil
		},
	}, nil
}

// set returns the tool that inserts a row into a new table.
func set(path string) (server.ServerTool, error) {
	db, err := sql.Open("sqlite", path+"?_journal_mode=WAL&_synchronous=FULL")
	if err != nil {
		return server.ServerTool{}, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("CREATE TABLE bare (key TEXT PRIMARY KEY, value TEXT) STRICT"); err != nil {
		return server.ServerTool{}, err
	}
	insert, err := db.Prepare("INSERT INTO bare VALUES (?, ?)")
	if err != nil {
		return server.ServerTool{}, err
	}
	return server.ServerTool{
		Tool: mcp.NewTool("set", mcp.WithDescription("Insert a row."), mcp.WithString("key", mcp.Required()), mcp.WithString("value", mcp.Required())),
		Handler: func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if _, err := insert.ExecContext(ctx, request.GetString("key", ""), request.GetString("value", "")); err != nil {
				return nil, err
			}
			return mcp.NewToolResultText("created"), nil
		},
	}, nil
}
