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

// A stagedListing shows each session of a client that honours list_changed the
// schema of the stage that its own calls have come to: see staged.Flow. What a
// session sees until its first such call, and after it has ended a flow, is the
// frozen listing, which takes everything at once: a client that never looks
// again misses nothing.
//
// It is for the protocols up to 2025-11-25. The one of 2026-07-28 forbids a
// listing to vary by session, or by what was called: its requests always get
// the frozen one, as do those of sessions without an id, which several clients
// may share.
type stagedListing struct {
	listed map[string]bool // tools of the listing; filled before it is served

	mu sync.Mutex
	at map[string]map[string]json.RawMessage // session id, tool: the schema of the stage
}

// options make a server serve the listing.
func (l *stagedListing) options(hooks *server.Hooks) []server.ServerOption {
	hooks.AddOnUnregisterSession(l.forget)
	hooks.AddAfterDiscover(func(_ context.Context, _ any, _ *mcp.DiscoverRequest, result *mcp.DiscoverResult) {
		if tools := result.Capabilities.Tools; tools != nil {
			tools.ListChanged = false // it never does for who discovers: see above
		}
	})
	return []server.ServerOption{
		server.WithToolCapabilities(true), server.WithToolFilter(l.filter), server.WithToolHandlerMiddleware(l.follow),
	}
}

// sessionOf returns the id of the session that a request with a listing of its
// own came by, "" when it gets the frozen one.
func sessionOf(ctx context.Context) string {
	session := server.ClientSessionFromContext(ctx)
	if session == nil || server.IsModernRequest(ctx) {
		return ""
	}
	return session.SessionID()
}

// filter puts the schemas of the session's stages into its listing.
func (l *stagedListing) filter(ctx context.Context, tools []mcp.Tool) []mcp.Tool {
	l.mu.Lock()
	defer l.mu.Unlock()
	stages := l.at[sessionOf(ctx)]
	for i := range tools {
		if schema, ok := stages[tools[i].Name]; ok {
			tools[i].RawInputSchema = schema
		}
	}
	return tools
}

// follow lets the session of a call see the stages that the call comes to, and
// tells it that its listing has changed, before the call is answered.
func (l *stagedListing) follow(next server.ToolHandlerFunc) server.ToolHandlerFunc {
	return func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		session := sessionOf(ctx)
		if session == "" {
			return next(ctx, request)
		}
		return next(entrypoint.WithStages(ctx, func(tool string, schema *metadata.Schema) {
			if l.listed[tool] && l.move(session, tool, schema) {
				// A session that is not initialized, or does not read, is not told.
				_ = server.ServerFromContext(ctx).SendNotificationToClient(ctx, mcp.MethodNotificationToolsListChanged, nil)
			}
		}), request)
	}
}

// move notes the stage that a session has come to, and reports whether its
// listing is another now. Without a schema it is the frozen one.
func (l *stagedListing) move(session, tool string, schema *metadata.Schema) bool {
	var next json.RawMessage
	if schema != nil {
		next, _ = schema.MarshalJSON() // it cannot fail
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if bytes.Equal(l.at[session][tool], next) {
		return false
	}
	if next == nil {
		delete(l.at[session], tool)
		return true
	}
	if l.at[session] == nil {
		l.at[session] = map[string]json.RawMessage{}
	}
	l.at[session][tool] = next
	return true
}

// forget drops a session that has ended.
func (l *stagedListing) forget(_ context.Context, session server.ClientSession) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.at, session.SessionID())
}
