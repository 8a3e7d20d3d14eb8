// Package mcpserver shows a router to MCP clients. It is the only part of the server that
// imports mcp-go. A change of the library affects only this package, the conformance build,
// the demo and the benchmarks.
//
// It translates tools, resources, prompts, completions, progress, log messages,
// subscriptions and questions to the user. It also hides mistakes of mcp-go from clients
// (docs/project/protocol.md). Start with New, then read host.go, which the
// transports call.
package mcpserver

import (
	"context"
	"encoding/json"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kota/entrypoint"
)

// Options configures how a Router is shown to MCP clients.
type Options struct {
	Version   string // KOTA's version
	Expose    Expose
	CoreTools []string // tools that ExposeCore lists; ExposeAuto lists them after the used tools
	Budget    int      // maximum tokens of tools/list under ExposeAuto, as EstimateTool estimates them
	Used      []string // tools for ExposeAuto, the most used first

	Structured StructuredMode // "" is StructuredAuto

	// StagedListing shows each session the schema of its current stage of a staged action,
	// and notifies the session of each change. It works for protocols up to 2025-11-25.
	StagedListing bool

	Watcher Watcher // nil: clients cannot subscribe to resources
}

// A Server serves a router to MCP clients.
type Server struct {
	router     *entrypoint.Router
	mcp        *server.MCPServer
	structured StructuredMode
	watcher    Watcher // nil: clients cannot subscribe to resources
}

// New returns a server for the router. Its tools/list is sorted and byte-identical for the
// life of the process, because clients cache prompts that contain it. Only StagedListing
// lets it change.
func New(r *entrypoint.Router, o Options) *Server {
	hooks := &server.Hooks{}
	showIcon(hooks, mcp.Implementation{Name: "kota", Title: "KOTA", Version: o.Version})
	listed := map[string]bool{}
	options := append(cacheHints(),
		server.WithTitle("KOTA"),
		server.WithInstructions(r.Instructions()),
		server.WithToolCapabilities(false),
		server.WithResourceCapabilities(o.Watcher != nil, false),
		server.WithPromptCapabilities(false),
		server.WithLogging(),
		server.WithHooks(hooks),
	)
	options = append(options, completionOptions(r)...)
	if o.StagedListing {
		options = append(options, (&stagedListing{listed: listed, stages: map[string]map[string]json.RawMessage{}}).options(hooks)...)
	}
	s := server.NewMCPServer("kota", o.Version, options...)
	served := &Server{router: r, mcp: s, structured: o.Structured, watcher: o.Watcher}
	for _, action := range Listing(r, o) {
		s.AddTool(describeTool(action), served.call)
	}
	addConformanceTools(s, hooks)
	for tool := range s.ListTools() {
		listed[tool] = true
	}
	hooks.AddBeforeCallTool(func(_ context.Context, _ any, request *mcp.CallToolRequest) { redirectUnlisted(request, listed) })
	hooks.AddOnError(onMCPError(addResources(s, r), addPrompts(s, r)))
	return served
}

// An unlistedTool names a tool that tools/list does not show. mcp-go answers a call of such a
// tool with a protocol error before any handler sees it. So KOTA redirects the call to a
// listed tool, with an unlistedTool as the arguments. No JSON decodes to this type, so a
// client cannot forge it.
type unlistedTool struct{ tool string }

func redirectUnlisted(request *mcp.CallToolRequest, listed map[string]bool) {
	if listed[request.Params.Name] {
		return
	}
	request.Params.Arguments = unlistedTool{tool: request.Params.Name}
	request.Params.Name = "kota_discover_bundles"
}

// call carries out a tools/call.
func (s *Server) call(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	tool := request.Params.Name
	if u, ok := request.Params.Arguments.(unlistedTool); ok {
		tool = u.tool
	}
	c := &entrypoint.Call{
		Tool: tool, Args: request.Params.RawArguments, Channel: entrypoint.ByName,
		Answer: reply(request.Params.MultiRoundTripParams), Progress: progress(ctx, request), Slot: slotOf(ctx),
	}
	start := time.Now()
	_, text, err := s.router.Answer(ctx, c)
	logOutcome(ctx, tool, start, err)
	if question := questionResult(err); question != nil {
		return question, nil
	}
	if err != nil {
		// An error carries no structured content: clients would check it against the output schema.
		return withNote(c.Note, withRepairs(c.Repairs, mcp.NewToolResultError(string(entrypoint.ErrorText(err))))), nil
	}
	return withNote(c.Note, withRepairs(c.Repairs, result(text, s.structured.includes(ctx, c.Session)))), nil
}

// withRepairs adds the repairs of a call to the _meta of its result. Models do not read it.
func withRepairs(repaired []string, r *mcp.CallToolResult) *mcp.CallToolResult {
	if len(repaired) > 0 {
		r.Meta = mcp.NewMetaFromMap(map[string]any{"kota/repaired": repaired})
	}
	return r
}

// withNote adds the note to a result: as a separate text for models, and in the metadata for
// programs. Structured content must fit its schema, so it cannot have the note.
func withNote(note string, r *mcp.CallToolResult) *mcp.CallToolResult {
	if note == "" {
		return r
	}
	r.Content = append(r.Content, mcp.NewTextContent(note))
	if r.Meta == nil {
		r.Meta = mcp.NewMetaFromMap(map[string]any{})
	}
	r.Meta.AdditionalFields["kota/note"] = note
	return r
}
