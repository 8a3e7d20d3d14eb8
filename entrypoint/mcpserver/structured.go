package mcpserver

import (
	"context"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kota/entrypoint"
)

// A StructuredMode says which answers have structuredContent next to their text. No listing
// declares an output schema, so MCP requires none (2026-07-28, tools, "Output Schema").
type StructuredMode string

const (
	StructuredAuto StructuredMode = "auto" // if the client is not known to show text, or asked for an output schema
	StructuredOn   StructuredMode = "on"   // all answers
	StructuredOff  StructuredMode = "off"  // no answers
)

// textClients lists clients, by the start of their clientInfo.name, that show their model the
// text of an answer. Some show only the text. Others show the text and structuredContent,
// which costs the tokens twice. Sources: docs/explanation/disclosure.md.
var textClients = []string{
	"claude-ai",                // Claude Desktop and claude.ai: only the text
	"gemini-cli-mcp-client",    // only the text
	"opencode",                 // the text, if present
	"ChatGPT",                  // both
	"github-copilot-developer", // Copilot CLI: both
}

// copilot is part of the names that GitHub Copilot uses in editors other than Visual
// Studio Code, for example JetBrains-IU-copilot-intellij. These clients show both.
const copilot = "-copilot-"

// includes reports whether the answer to the call in ctx has structured content.
func (s StructuredMode) includes(ctx context.Context, session *entrypoint.Session) bool {
	switch s {
	case StructuredOn:
		return true
	case StructuredOff:
		return false
	}
	return session.IsReadByProgram() || !showsText(clientName(ctx))
}

func showsText(client string) bool {
	for _, known := range textClients {
		if strings.HasPrefix(strings.ToLower(client), strings.ToLower(known)) {
			return true
		}
	}
	return strings.Contains(client, copilot)
}

// clientName returns the client's name, or "" if unknown. With protocol 2026-07-28, clients
// send it with each request; with earlier protocols, in initialize.
func clientName(ctx context.Context) string {
	if info := server.RequestProtocolInfoFromContext(ctx); info != nil && info.ClientInfo != nil {
		return info.ClientInfo.Name
	}
	if client, ok := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo); ok {
		return client.GetClientInfo().Name
	}
	return ""
}

// result renders an answer: its JSON is the text and, if structured is set, also the
// structured content. It returns a new result each time, because mcp-go changes results.
func result(text []byte, structured bool) *mcp.CallToolResult {
	r := mcp.NewToolResultText(string(text))
	if structured {
		r.RawStructuredContent = text
	}
	return r
}
