// Command pgrows is a minimal MCP server on PostgreSQL: mcp-go's own HTTP listener, pgx, and
// three tools. The benchmark compares KOTA with it.
//
// Its arguments are the URL of a KOTA database and the address to listen on. The tools are:
//
//	get     reads a memory of a person by its key, as memory_get does
//	insert  inserts one row
//	store   writes the rows that memory_set writes, in one transaction: the person's number of the
//	        last change, the memory and an audit row
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

const tables = `
	CREATE TABLE IF NOT EXISTS bare_rows (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key text NOT NULL, value text NOT NULL);
	CREATE TABLE IF NOT EXISTS bare_heads (owner bigint PRIMARY KEY, seq bigint NOT NULL);
	CREATE TABLE IF NOT EXISTS bare_memories (owner bigint, key text, value text NOT NULL, PRIMARY KEY (owner, key));
	CREATE TABLE IF NOT EXISTS bare_audit (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, owner bigint NOT NULL, args text NOT NULL)`

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pgrows:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) != 2 {
		return errors.New("usage: pgrows URL ADDRESS")
	}
	pool, err := pgxpool.New(ctx, args[0])
	if err != nil {
		return err
	}
	if _, err := pool.Exec(ctx, tables); err != nil {
		return err
	}
	s := server.NewMCPServer("pgrows", "1", server.WithToolCapabilities(false))
	s.AddTools(
		tool("get", func(ctx context.Context, r mcp.CallToolRequest) (string, error) { return get(ctx, pool, r) }),
		tool("insert", func(ctx context.Context, r mcp.CallToolRequest) (string, error) {
			_, err := pool.Exec(ctx, "INSERT INTO bare_rows (key, value) VALUES ($1, $2)", r.GetString("key", ""), r.GetString("value", ""))
			return "created", err
		}),
		tool("store", func(ctx context.Context, r mcp.CallToolRequest) (string, error) { return "created", put(ctx, pool, r) }),
	)
	return server.NewStreamableHTTPServer(s).Start(args[1])
}

func tool(name string, run func(context.Context, mcp.CallToolRequest) (string, error)) server.ServerTool {
	return server.ServerTool{
		Tool: mcp.NewTool(name, mcp.WithString("key", mcp.Required()), mcp.WithString("norm"), mcp.WithString("value"), mcp.WithNumber("person")),
		Handler: func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			text, err := run(ctx, r)
			if err != nil {
				return nil, err
			}
			return mcp.NewToolResultText(text), nil
		},
	}
}

// get reads a memory in one trip, after the statement that names the person.
func get(ctx context.Context, pool *pgxpool.Pool, r mcp.CallToolRequest) (value string, err error) {
	b := &pgx.Batch{}
	b.Queue("SELECT set_config('app.tenant', $1, true)", fmt.Sprint(r.GetInt("person", 0)))
	b.Queue("SELECT value FROM kota.memories WHERE owner = $1 AND norm = $2 AND key = $3 AND deleted IS NULL", r.GetInt("person", 0), r.GetString("norm", ""), r.GetString("key", "")).
		QueryRow(func(row pgx.Row) error { return row.Scan(&value) })
	return value, pool.SendBatch(ctx, b).Close()
}

// put stores a memory in one trip.
func put(ctx context.Context, pool *pgxpool.Pool, r mcp.CallToolRequest) error {
	person, key, value := r.GetInt("person", 0), r.GetString("key", ""), r.GetString("value", "")
	b := &pgx.Batch{}
	b.Queue("SELECT set_config('app.tenant', $1, true)", fmt.Sprint(person))
	b.Queue("INSERT INTO bare_heads VALUES ($1, 1) ON CONFLICT (owner) DO UPDATE SET seq = bare_heads.seq + 1", person)
	b.Queue("INSERT INTO bare_memories VALUES ($1, $2, $3) ON CONFLICT (owner, key) DO UPDATE SET value = excluded.value", person, key, value)
	b.Queue("INSERT INTO bare_audit (owner, args) VALUES ($1, $2)", person, value)
	return pool.SendBatch(ctx, b).Close()
}
