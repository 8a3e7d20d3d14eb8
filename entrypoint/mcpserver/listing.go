package mcpserver

import (
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"kota/entrypoint"
	"kota/metadata"
)

// An Expose selects the tools that tools/list shows. Every action can be called by its
// name and through the entry points, listed or not.
type Expose string

const (
	ExposeAll       Expose = "all"       // the kota tools and every enabled action
	ExposeCore      Expose = "core"      // the kota tools and the configured ones
	ExposeDiscovery Expose = "discovery" // only the kota tools
	ExposeAuto      Expose = "auto"      // the kota tools and the most used actions, within a budget
)

// Listing returns the actions that tools/list shows with these options, sorted by tool
// name. The result depends only on the options, not on earlier calls.
func Listing(r *entrypoint.Router, o Options) []metadata.Action {
	actions := r.DiscoveryTools()
	enabled := r.Listable()
	switch o.Expose {
	case ExposeDiscovery:
	case ExposeCore:
		actions = append(actions, slices.DeleteFunc(enabled, func(a metadata.Action) bool { return !slices.Contains(o.CoreTools, a.Tool) })...)
	case ExposeAuto:
		actions = withinBudget(actions, byUse(enabled, slices.Concat(o.Used, o.CoreTools)), o.Budget)
	default:
		actions = append(actions, enabled...)
	}
	slices.SortFunc(actions, func(a, b metadata.Action) int { return strings.Compare(a.Tool, b.Tool) })
	return actions
}

// byUse moves the actions of the preferred tools to the front, in the order of preferred.
func byUse(actions []metadata.Action, preferred []string) []metadata.Action {
	rank := make(map[string]int, len(preferred))
	for i, tool := range slices.Backward(preferred) {
		rank[tool] = i
	}
	rankOf := func(a metadata.Action) int {
		if i, used := rank[a.Tool]; used {
			return i
		}
		return len(preferred)
	}
	slices.SortStableFunc(actions, func(a, b metadata.Action) int { return rankOf(a) - rankOf(b) })
	return actions
}

// withinBudget returns actions and, in their order, the candidates that still fit into the
// budget. It skips a candidate that does not fit.
func withinBudget(actions, candidates []metadata.Action, budget int) []metadata.Action {
	for _, a := range actions {
		budget -= EstimateTool(a)
	}
	for _, a := range candidates {
		if cost := EstimateTool(a); cost <= budget {
			actions, budget = append(actions, a), budget-cost
		}
	}
	return actions
}

// cacheHints tells clients of 2026-07-28 how long they may cache a list, and that it is
// private. The list depends on the user's bundles.yaml, accounts and usage. It does not
// change during the life of the process, but the next process may show another list.
func cacheHints() []server.ServerOption {
	const lifetime = 5 * time.Minute
	options := []server.ServerOption{}
	for _, list := range []mcp.MCPMethod{mcp.MethodToolsList, mcp.MethodPromptsList, mcp.MethodResourcesList, mcp.MethodResourcesTemplatesList} {
		options = append(options, server.WithMethodCacheHints(list, lifetime.Milliseconds(), mcp.CacheScopePrivate))
	}
	return options
}

// EstimateTool estimates the tokens of the tool in tools/list. It applies metadata.Tokens to
// the tool's JSON and the comma after it.
func EstimateTool(a metadata.Action) int {
	text, err := metadata.Plain(describeTool(a))
	if err != nil {
		panic("marshal " + a.Tool + ": " + err.Error())
	}
	return metadata.Tokens(append(text, ','))
}

// describeTool returns the tool as MCP lists it. The output schema is left to
// kota_describe_bundle: in a listing it would take a third of the tokens, and no model
// reads it there.
func describeTool(a metadata.Action) mcp.Tool {
	schema, err := a.Input.MarshalJSON()
	if err != nil {
		panic("marshal schema of " + a.Tool + ": " + err.Error())
	}
	// mcp.NewTool with a raw schema makes tools/list hang.
	tool := mcp.NewToolWithRawSchema(a.Tool, a.Text(), schema)
	tool.Title = title(a)
	tool.Annotations = annotations(a)
	if entrypoint.IsDiscoveryTool(a.Tool) {
		tool.Meta = mcp.NewMetaFromMap(map[string]any{alwaysLoad: true})
	}
	return tool
}

// title returns the name that clients show to people: "Gmail: send message".
func title(a metadata.Action) string {
	bundle, action, _ := strings.Cut(a.Tool, "_")
	if bundle == entrypoint.ToolsKey {
		bundle = "KOTA"
	}
	return strings.ToUpper(bundle[:1]) + bundle[1:] + ": " + strings.ReplaceAll(action, "_", " ")
}

// alwaysLoad is the _meta key that makes Claude Code load a tool at once. Otherwise it may
// load tools only after a search of its own. The tools that find other tools must be loaded
// without a search (colbymchenry/codegraph#1696).
const alwaysLoad = "anthropic/alwaysLoad"

// annotations translates an effect into all four hints, because some hosts assume the
// worst for an absent hint. Only reads are idempotent: repeating another call may do its
// work twice. The world is open for tools that send, for tools that work on a remote
// account, and for kota_read, which may run such a tool.
func annotations(a metadata.Action) mcp.ToolAnnotation {
	yes, no := true, false
	hints := mcp.ToolAnnotation{ReadOnlyHint: &no, DestructiveHint: &no, IdempotentHint: &no, OpenWorldHint: &no}
	if a.Effect == metadata.Sends || len(a.Scopes) > 0 || a.Tool == entrypoint.ReadTool {
		hints.OpenWorldHint = &yes
	}
	switch a.Effect {
	case metadata.Reads:
		hints.ReadOnlyHint, hints.IdempotentHint = &yes, &yes
	case metadata.Writes:
	default:
		hints.DestructiveHint = &yes
	}
	return hints
}
