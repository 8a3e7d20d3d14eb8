package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kota/entrypoint"
	"kota/metadata"
)

// A stagedListing shows each session the schema of the stage that its own calls have
// reached: see staged.Flow. It is for clients that refresh the list after list_changed.
// Before the first call of a flow, and after its end, a session sees the frozen listing.
// The schemas of the frozen listing take all arguments at once. So a client that never
// refreshes can still call every tool.
//
// It works for protocols up to 2025-11-25. The protocol 2026-07-28 forbids a listing to
// depend on the session or on earlier calls. So requests of that protocol always get the
// frozen listing. The same holds for sessions without an id, which several clients may share.
type stagedListing struct {
	listed map[string]bool // the listed tools; filled before the server starts

	mu     sync.Mutex
	stages map[string]map[string]json.RawMessage // schemas of the stages, by session id and tool
}

// options returns the server options that serve the listing.
func (l *stagedListing) options(hooks *server.Hooks) []server.ServerOption {
	hooks.AddOnUnregisterSession(l.forget)
	hooks.AddAfterDiscover(func(_ context.Context, _ any, _ *mcp.DiscoverRequest, result *mcp.DiscoverResult) {
		if tools := result.Capabilities.Tools; tools != nil {
			tools.ListChanged = false // clients that call server/discover always get the frozen listing
		}
	})
	return []server.ServerOption{
		server.WithToolCapabilities(true), server.WithToolFilter(l.filter), server.WithToolHandlerMiddleware(l.trackStages),
	}
}

// stagedSession returns the id of the session in ctx, or "" if its requests get the frozen
// listing.
func stagedSession(ctx context.Context) string {
	session := server.ClientSessionFromContext(ctx)
	if session == nil || server.IsModernRequest(ctx) {
		return ""
	}
	return session.SessionID()
}

// filter replaces the schemas in the listing by those of the session's stages.
func (l *stagedListing) filter(ctx context.Context, tools []mcp.Tool) []mcp.Tool {
	l.mu.Lock()
	defer l.mu.Unlock()
	stages := l.stages[stagedSession(ctx)]
	for i := range tools {
		if schema, ok := stages[tools[i].Name]; ok {
			tools[i].RawInputSchema = schema
		}
	}
	return tools
}

// trackStages records the stages that a call reaches. Before the call is answered, it notifies
// the session of the changed listing.
func (l *stagedListing) trackStages(next server.ToolHandlerFunc) server.ToolHandlerFunc {
	return func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		session := stagedSession(ctx)
		if session == "" {
			return next(ctx, request)
		}
		return next(entrypoint.WithStages(ctx, func(tool string, schema *metadata.Schema) {
			if l.listed[tool] && l.setStage(session, tool, schema) {
				// A session that is not initialized, or does not read, misses the notification.
				_ = server.ServerFromContext(ctx).SendNotificationToClient(ctx, mcp.MethodNotificationToolsListChanged, nil)
			}
		}), request)
	}
}

// setStage records the stage of the tool that a session has reached. It reports whether the
// session's listing changed. A nil schema restores the schema of the frozen listing.
func (l *stagedListing) setStage(session, tool string, schema *metadata.Schema) bool {
	var next json.RawMessage
	if schema != nil {
		next, _ = schema.MarshalJSON() // it cannot fail
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if bytes.Equal(l.stages[session][tool], next) {
		return false
	}
	if next == nil {
		delete(l.stages[session], tool)
		return true
	}
	if l.stages[session] == nil {
		l.stages[session] = map[string]json.RawMessage{}
	}
	l.stages[session][tool] = next
	return true
}

// forget drops a session that has ended.
func (l *stagedListing) forget(_ context.Context, session server.ClientSession) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.stages, session.SessionID())
}
