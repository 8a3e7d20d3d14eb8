package mcpserver

import (
	"context"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kota/entrypoint"
)

// A Structured says which answers carry structuredContent beside their text. No
// listing declares an output schema, so that MCP demands none (2026-07-28, tools,
// "Output Schema").
type Structured string

const (
	StructuredAuto Structured = "auto" // where the client uses it, or an output schema was asked for
	StructuredOn   Structured = "on"   // all
	StructuredOff  Structured = "off"  // none
)

// textClients are clients, by the clientInfo.name that they give, which show their
// model the text of an answer: the text alone, or both, so that the model would pay
// twice. docs/explanation/disclosure.md has the sources. A name matches with a suffix too.
var textClients = []string{
	"claude-ai",                // Claude Desktop and claude.ai: the text alone
	"gemini-cli-mcp-client",    // the text alone
	"opencode",                 // the text, where there is any
	"ChatGPT",                  // both
	"github-copilot-developer", // Copilot CLI: both
}

// copilot is part of the names that GitHub Copilot gives in editors other than
// Visual Studio Code: JetBrains-IU-copilot-intellij. It shows both.
const copilot = "-copilot-"

// carries reports whether the answer to the call in ctx has structured content.
func (s Structured) carries(ctx context.Context, of *entrypoint.Session) bool {
	switch s {
	case StructuredOn:
		return true
	case StructuredOff:
		return false
	}
	return of.WantsOutput() || !showsText(clientOf(ctx))
}

func showsText(client string) bool {
	for _, known := range textClients {
		if strings.HasPrefix(strings.ToLower(client), strings.ToLower(known)) {
			return true
		}
	}
	return strings.Contains(client, copilot)
}

// clientOf returns the name that the client gives itself, "" when it gives none: on
// each request since 2026-07-28, in initialize before.
func clientOf(ctx context.Context) string {
	if info := server.RequestProtocolInfoFromContext(ctx); info != nil && info.ClientInfo != nil {
		return info.ClientInfo.Name
	}
	if client, known := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo); known {
		return client.GetClientInfo().Name
	}
	return ""
}

// result renders an answer: its JSON is the text and, where it is asked for, the
// same bytes are the structured content. The result is always a fresh one, since
// mcp-go writes into it.
func result(text []byte, structured bool) *mcp.CallToolResult {
	r := mcp.NewToolResultText(string(text))
	if structured {
		r.RawStructuredContent = text
	}
	return r
}
