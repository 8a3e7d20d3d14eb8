package mcpserver

import (
	"context"
	"flag"
	"io"
	"path/filepath"
	"testing"

	"github.com/mark3labs/mcp-go/server"
	"golang.org/x/tools/txtar"

	"kota/entrypoint/transport"
	"kota/entrypoint/wiretest"
)

var update = flag.Bool("update", false, "rewrite the expected answers in testdata/wire")

// TestWire plays the conversations of testdata/wire/toy with a toy server.
func TestWire(t *testing.T) {
	wiretest.Play(t, filepath.Join("testdata", "wire", "toy"), *update, func(testing.TB, *txtar.Archive) wiretest.Serve {
		return serving(newToyServer().MCPServer)
	})
}

func serving(s *server.MCPServer) wiretest.Serve {
	return func(ctx context.Context, in io.Reader, out io.Writer) error {
		return transport.ServeStdio(ctx, newHost(s, callsOf(s), nil, quiet), in, out, quiet)
	}
}
