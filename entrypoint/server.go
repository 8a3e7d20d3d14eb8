package entrypoint

import (
	"context"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kota/metadata"
)

// An Expose says which tools tools/list shows. Every action can be called by
// its name and through the entry points, listed or not.
type Expose string

const (
	ExposeAll       Expose = "all"       // the kota tools and every enabled action
	ExposeCore      Expose = "core"      // the kota tools and those chosen
	ExposeDiscovery Expose = "discovery" // the kota tools alone
)

// ServerOptions says how a Router is shown to MCP clients.
type ServerOptions struct {
	Version   string // of KOTA
	Expose    Expose
	CoreTools []string // tool names listed under ExposeCore

	// StagedListing lets a session of a protocol up to 2025-11-25 see the schema
	// of its current stage of a staged action, and tells it of each change.
	StagedListing bool
}

// teaching is what a client may put before its model: how to work with KOTA in
// two sentences. Each bundle that is on may add one of its own.
const teaching = `KOTA gives you a personal assistant's hands. ` +
	`Call kota_discover_bundles with a query in plain words to find the action you need; its answer carries signatures, so call the tool_name directly, or run it with kota_entry_point {bundle, action, args} (kota_read for reads).`

// instructions returns the teaching with what the bundles add. Clients cut it
// at 2,048 characters.
func (r *Router) instructions() string {
	text := teaching
	for _, b := range r.installed {
		if b.Enabled && b.Instructions != "" {
			text += " " + b.Instructions
		}
	}
	return text
}

// NewServer returns an MCP server over the router. Its listing is frozen: it
// is sorted and byte-identical for the life of the process, because clients
// cache prompts that contain it. Only StagedListing lets it change.
func NewServer(r *Router, o ServerOptions) *server.MCPServer {
	hooks := &server.Hooks{}
	listed := map[string]bool{}
	options := []server.ServerOption{
		server.WithTitle("KOTA"),
		server.WithInstructions(r.instructions()),
		server.WithToolCapabilities(false),
		server.WithResourceCapabilities(false, false),
		server.WithPromptCapabilities(false),
		server.WithHooks(hooks),
	}
	if o.StagedListing {
		options = append(options, newStagedListing(listed).options(hooks)...)
	}
	s := server.NewMCPServer("kota", o.Version, options...)
	for _, action := range r.listing(o) {
		listed[action.Tool] = true
		s.AddTool(describeTool(action), r.handle)
	}
	hooks.AddBeforeCallTool(func(_ context.Context, _ any, request *mcp.CallToolRequest) { redirect(request, listed) })
	addResources(s, r)
	addPrompts(s, r)
	return s
}

// listing returns what tools/list shows, sorted by tool name.
func (r *Router) listing(o ServerOptions) []metadata.Action {
	var actions []metadata.Action
	for _, a := range r.kota.Actions {
		actions = append(actions, a.Action)
	}
	for _, a := range r.catalogue.actions {
		switch {
		case !a.bundle.Enabled, o.Expose == ExposeDiscovery:
		case o.Expose == ExposeCore && !slices.Contains(o.CoreTools, a.Tool):
		default:
			actions = append(actions, a.Action)
		}
	}
	slices.SortFunc(actions, func(a, b metadata.Action) int {
		if a.Tool < b.Tool {
			return -1
		}
		return 1
	})
	return actions
}

// describeTool turns a description into what MCP lists. Output schemas are
// left to kota_describe_bundle: in a listing they cost a third of its tokens
// and no model reads them there.
func describeTool(a metadata.Action) mcp.Tool {
	schema, err := a.Input.MarshalJSON()
	if err != nil {
		panic("marshal schema of " + a.Tool + ": " + err.Error())
	}
	// mcp.NewTool with a raw schema makes tools/list hang.
	tool := mcp.NewToolWithRawSchema(a.Tool, a.Text(), schema)
	tool.Annotations = annotations(a)
	return tool
}

// annotations translates an effect. The world is open to what sends, and to
// what works on an account elsewhere: other people write what is read there.
// kota_read may run such an action.
func annotations(a metadata.Action) mcp.ToolAnnotation {
	yes, no := true, false
	hints := mcp.ToolAnnotation{OpenWorldHint: &no}
	if a.Effect == metadata.Sends || len(a.Scopes) > 0 || a.Tool == kotaKey+"_read" {
		hints.OpenWorldHint = &yes
	}
	switch a.Effect {
	case metadata.Reads:
		hints.ReadOnlyHint = &yes
	case metadata.Writes:
		hints.DestructiveHint = &no
	default:
		hints.DestructiveHint = &yes
	}
	return hints
}

// An unlisted call is one for a tool that tools/list does not show. mcp-go
// answers those with a protocol error before any handler sees them, so they
// are carried in on a listed tool. No JSON decodes to this type: a client
// cannot forge it.
type unlisted struct{ tool string }

func redirect(request *mcp.CallToolRequest, listed map[string]bool) {
	if listed[request.Params.Name] {
		return
	}
	request.Params.Arguments = unlisted{tool: request.Params.Name}
	request.Params.Name = "kota_discover_bundles"
}

func (r *Router) handle(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	tool := request.Params.Name
	if u, ok := request.Params.Arguments.(unlisted); ok {
		tool = u.tool
	}
	out, err := r.Call(ctx, tool, request.Params.RawArguments)
	if err != nil {
		return errorResult(err), nil
	}
	return result(out)
}

// result renders a handler's output: its JSON is the text, and the same bytes
// are the structured content. The result is always a fresh one, since mcp-go
// writes into it.
func result(out any) (*mcp.CallToolResult, error) {
	text, err := metadata.Plain(out)
	if err != nil {
		return nil, err
	}
	r := mcp.NewToolResultText(string(text))
	r.RawStructuredContent = text
	return r, nil
}

// errorResult renders a failure. An error carries no structured content:
// clients would check it against the output schema and hide the message.
func errorResult(err error) *mcp.CallToolResult {
	text, marshalErr := metadata.Plain(classify(err))
	if marshalErr != nil {
		text = []byte(`{"error":"INTERNAL","message":"the error could not be shown","retryable":false}`)
	}
	return mcp.NewToolResultError(string(text))
}
