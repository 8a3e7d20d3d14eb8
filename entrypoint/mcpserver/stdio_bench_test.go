package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/server"

	"kota/entrypoint/transport"
)

// BenchmarkStdio measures round trips of the echo tool through ServeStdio and, for
// comparison, through mcp-go's own listener. Run both together:
//
//	go test ./entrypoint/mcpserver -run - -bench Stdio
func BenchmarkStdio(b *testing.B) {
	listeners := []struct {
		name  string
		serve func(context.Context, *server.MCPServer, io.Reader, io.Writer) error
	}{
		{"kota", func(ctx context.Context, s *server.MCPServer, in io.Reader, out io.Writer) error {
			return transport.ServeStdio(ctx, newHost(s, callsOf(s), nil, quiet), in, out, quiet)
		}},
		{"mcp-go", func(ctx context.Context, s *server.MCPServer, in io.Reader, out io.Writer) error {
			stdio := server.NewStdioServer(s)
			stdio.SetErrorLogger(log.New(io.Discard, "", 0))
			return stdio.Listen(ctx, in, out)
		}},
	}
	for _, size := range []int{100, 10_000, 1_000_000} {
		request := []byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":%q}}}`, strings.Repeat("x", size)) + "\n")
		for _, l := range listeners {
			b.Run(fmt.Sprintf("%dB/%s", size, l.name), func(b *testing.B) {
				inR, inW := io.Pipe()
				outR, outW := io.Pipe()
				done := make(chan error, 1)
				go func() { done <- l.serve(b.Context(), newToyServer().MCPServer, inR, outW) }()
				out := bufio.NewReaderSize(outR, 2<<20)
				for b.Loop() {
					if _, err := inW.Write(request); err != nil {
						b.Fatal(err)
					}
					answer, err := out.ReadSlice('\n')
					if err != nil || !bytes.Contains(answer[:100], []byte(`"result"`)) {
						b.Fatalf("%.100s %v", answer, err)
					}
				}
				inW.Close()
				if err := <-done; err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}
