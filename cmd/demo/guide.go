package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

// tourGuide runs one server after the other and writes a transcript. After the
// first error of the tour, printf, list and call do nothing.
type tourGuide struct {
	out          io.Writer
	binary, home string
	client       *client.Client
	err          error
}

func (g *tourGuide) fail(err error) {
	if g.err == nil {
		g.err = err
	}
}

func (g *tourGuide) printf(format string, args ...any) {
	if g.err == nil {
		fmt.Fprintf(g.out, "\n# "+format+"\n\n", args...)
	}
}

func (g *tourGuide) connect(ctx context.Context) error {
	c, err := client.NewStdioMCPClient(g.binary, []string{"KOTA_HOME=" + g.home}, "serve")
	if err != nil {
		return fmt.Errorf("start the server: %w", err)
	}
	g.client = c
	request := mcp.InitializeRequest{}
	request.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	request.Params.ClientInfo = mcp.Implementation{Name: "kota-demo", Version: "1"}
	hello, err := c.Initialize(ctx, request)
	if err != nil {
		return fmt.Errorf("initialize: %w", err)
	}
	fmt.Fprintf(g.out, "< %s %s, protocol %s\n", hello.ServerInfo.Name, hello.ServerInfo.Version, hello.ProtocolVersion)
	return nil
}

func (g *tourGuide) disconnect() error {
	if g.client == nil {
		return nil
	}
	err := g.client.Close()
	g.client = nil
	if err != nil {
		return fmt.Errorf("stop the server: %w", err)
	}
	return nil
}

func (g *tourGuide) reconnect(ctx context.Context) error {
	if err := g.disconnect(); err != nil {
		return err
	}
	return g.connect(ctx)
}

func (g *tourGuide) list(ctx context.Context) {
	if g.err != nil {
		return
	}
	listed, err := g.client.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		g.fail(fmt.Errorf("tools/list: %w", err))
		return
	}
	names := make([]string, 0, len(listed.Tools))
	for _, tool := range listed.Tools {
		names = append(names, tool.Name)
	}
	fmt.Fprintf(g.out, "> tools/list\n< %s\n", strings.Join(names, ", "))
}

// call runs a tool and fails the tour if its answer does not contain want.
func (g *tourGuide) call(ctx context.Context, tool string, args object, want string) {
	if g.err != nil {
		return
	}
	request := mcp.CallToolRequest{}
	request.Params.Name, request.Params.Arguments = tool, args
	sent, err := json.Marshal(args)
	if err != nil {
		g.fail(err)
		return
	}
	fmt.Fprintf(g.out, "> %s %s\n", tool, sent)
	result, err := g.client.CallTool(ctx, request)
	if err != nil {
		g.fail(fmt.Errorf("%s: %w", tool, err))
		return
	}
	answer := ""
	for _, content := range result.Content {
		if text, ok := content.(mcp.TextContent); ok {
			answer += text.Text
		}
	}
	fmt.Fprintf(g.out, "< %s\n", answer)
	if !strings.Contains(answer, want) {
		g.fail(fmt.Errorf("%s: the answer has no %s", tool, want))
	}
}
